// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.util.HexFormat;
import java.util.regex.Pattern;

/** SHA-256 of a file's bytes, the name of the content in the storage: 64 lower-case hexadecimal digits, safe as a file name. */
public record ContentHash(String hex) {
    private static final Pattern GRAMMAR = Pattern.compile("[0-9a-f]{64}");

    public ContentHash {
        if (!isOne(hex)) {
            throw new IllegalArgumentException("not a SHA-256: " + hex);
        }
    }

    static boolean isOne(String text) {
        return GRAMMAR.matcher(text).matches();
    }

    /** From the 32 bytes of the digest. */
    public static ContentHash of(byte[] bytes) {
        return new ContentHash(HexFormat.of().formatHex(bytes));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
