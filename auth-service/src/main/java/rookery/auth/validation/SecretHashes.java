package rookery.auth.validation;

import java.util.HexFormat;
import org.springframework.stereotype.Component;
import rookery.model.crypto.HmacSha256;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/** What is stored in place of secrets and tokens: keyed, because a code of six digits can be guessed from a plain hash. */
@Component
class SecretHashes {
    private final HmacSha256 hmac;

    SecretHashes(InternalProperties properties) {
        this.hmac = new HmacSha256(properties.derived(ServiceName.AUTH, "validation"));
    }

    byte[] ofSecret(String clientSecret) {
        return hmac.of("secret:" + clientSecret);
    }

    /** Hexadecimal; the same code of two validations has two. */
    String ofToken(String sid, String token) {
        return HexFormat.of().formatHex(hmac.of("token:" + sid + ":" + token));
    }
}
