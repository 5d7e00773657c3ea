// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.util.Base64;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;

/** Makes passwords and tokens. */
@Component
class SecretMaker {
    private final RandomGenerator random;

    SecretMaker(RandomGenerator random) {
        this.random = random;
    }

    /** So many random bytes as URL-safe base64. */
    String random(int bytes) {
        byte[] secret = new byte[bytes];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }
}
