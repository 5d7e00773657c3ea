package rookery.platform.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Signed headers: {@code v1.} base64url(content) {@code .} base64url(HMAC-SHA256), compared in constant time. */
final class Signature {
    private static final String VERSION = "v1.";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private Signature() {}

    static String sign(byte[] key, byte[] content) {
        String text = VERSION + ENCODER.encodeToString(content);
        return text + "." + ENCODER.encodeToString(hmac(key, text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** The content, or null if this was not signed with the key. */
    static byte @Nullable [] verified(byte[] key, String header) {
        int dot = header.lastIndexOf('.');
        if (!header.startsWith(VERSION) || dot < VERSION.length()) {
            return null;
        }
        try {
            byte[] signature = Base64.getUrlDecoder().decode(header.substring(dot + 1));
            byte[] expected = hmac(key, header.substring(0, dot).getBytes(StandardCharsets.UTF_8));
            return MessageDigest.isEqual(signature, expected)
                    ? Base64.getUrlDecoder().decode(header.substring(VERSION.length(), dot))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static byte[] hmac(byte[] key, byte[] content) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
