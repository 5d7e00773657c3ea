// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.springframework.stereotype.Component;
import rookery.model.id.DeviceId;

/** Creates random tokens: 256 random bits between a prefix and a checksum, so that secret scanners recognize a leak. */
@Component
public class TokenMinter {
    private static final String ACCESS = "rky_";
    private static final String REFRESH = "rkr_";
    private static final String LOGIN = "rkl_";
    private static final String REGISTRATION = "rkg_";
    private static final String OPENID = "rko_";
    private static final int ENTROPY_BYTES = 32;
    private static final int DEVICE_CHARS = 10;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final RandomGenerator random;

    TokenMinter(RandomGenerator random) {
        this.random = random;
    }

    String accessToken() {
        return token(ACCESS);
    }

    String refreshToken() {
        return token(REFRESH);
    }

    /** A single-use login token. */
    public String loginToken() {
        return token(LOGIN);
    }

    /** An OpenID token, which proves the identity of its owner to third parties. */
    public String openIdToken() {
        return token(OPENID);
    }

    /** A registration token; at most 64 characters (contract.md 2.5). */
    public String registrationToken() {
        return token(REGISTRATION);
    }

    /** Ten letters of A-Z (contract.md 2.5). */
    DeviceId device() {
        var id = new StringBuilder();
        for (int i = 0; i < DEVICE_CHARS; i++) {
            id.append((char) ('A' + random.nextInt(26)));
        }
        return new DeviceId(id.toString());
    }

    private String token(String prefix) {
        byte[] secret = new byte[ENTROPY_BYTES];
        random.nextBytes(secret);
        String text = prefix + ENCODER.encodeToString(secret);
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        byte[] sum = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
        return text + "_" + ENCODER.encodeToString(sum);
    }
}
