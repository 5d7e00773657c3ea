// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.HexFormat;
import org.springframework.stereotype.Component;
import rookery.model.crypto.HmacSha256;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/** The hashes of secrets and tokens in the database; keyed, because brute force reverses a plain hash of a six-digit code. */
@Component
class SecretHashes {
    private final HmacSha256 hmac;

    SecretHashes(InternalProperties properties) {
        this.hmac = new HmacSha256(properties.derived(ServiceName.AUTH, "validation"));
    }

    byte[] ofSecret(String clientSecret) {
        return hmac.of("secret:" + clientSecret);
    }

    /** In hex; includes the ID of the validation, so equal codes of two validations have different hashes. */
    String ofToken(String sid, String token) {
        return HexFormat.of().formatHex(hmac.of("token:" + sid + ":" + token));
    }
}
