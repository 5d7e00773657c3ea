package rookery.auth.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.springframework.stereotype.Component;
import rookery.model.id.DeviceId;

/**
 * Makes tokens that nobody can guess: a prefix and a checksum around 256 random bits, so that a scanner finds one that was
 * published by mistake and does not take anything else for one.
 */
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

    /** Logs in once. */
    public String loginToken() {
        return token(LOGIN);
    }

    /** Proves to somebody else who its owner is. */
    public String openIdToken() {
        return token(OPENID);
    }

    /** Lets one register; 64 characters at most (contract.md 2.5). */
    public String registrationToken() {
        return token(REGISTRATION);
    }

    /** Ten of A-Z (contract.md 2.5). */
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
