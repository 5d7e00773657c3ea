// SPDX-License-Identifier: Apache-2.0
package rookery.model.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of whole contents. */
public final class Sha256 {
    private Sha256() {}

    /** Returns the 32 bytes of the text in UTF-8. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] of(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Returns the hash of the text in lower-case hex. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
