package rookery.auth.validation;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Component;
import rookery.platform.http.InternalProperties;

/** What is stored in place of secrets and tokens: keyed, because a code of six digits can be guessed from a plain hash. */
@Component
class SecretHashes {
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    SecretHashes(InternalProperties properties) {
        this.key = properties.derived("validation");
    }

    byte[] ofSecret(String clientSecret) {
        return hash("secret:" + clientSecret);
    }

    /** Hexadecimal; the same code of two validations has two. */
    String ofToken(String sid, String token) {
        return HexFormat.of().formatHex(hash("token:" + sid + ":" + token));
    }

    private byte[] hash(String text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
