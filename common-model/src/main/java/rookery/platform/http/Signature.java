package rookery.platform.http;

import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import rookery.model.crypto.HmacSha256;

/** Signed headers: {@code v1.} base64url(content) {@code .} base64url(HMAC-SHA256), compared in constant time. */
final class Signature {
    private static final String VERSION = "v1.";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final HmacSha256 hmac;

    Signature(byte[] key) {
        this.hmac = new HmacSha256(key);
    }

    String sign(byte[] content) {
        String text = VERSION + ENCODER.encodeToString(content);
        return text + "." + ENCODER.encodeToString(hmac.of(text));
    }

    /** The content, or null if this was not signed with the key. */
    byte @Nullable [] verified(String header) {
        int dot = header.lastIndexOf('.');
        if (!header.startsWith(VERSION) || dot < VERSION.length()) {
            return null;
        }
        try {
            byte[] signature = Base64.getUrlDecoder().decode(header.substring(dot + 1));
            byte[] expected = hmac.of(header.substring(0, dot));
            return MessageDigest.isEqual(signature, expected)
                    ? Base64.getUrlDecoder().decode(header.substring(VERSION.length(), dot))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
