package rookery.room.media;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * SHA-256 of a file's bytes, under which the store keeps them.
 *
 * @param hex 64 lower-case hexadecimal digits, which make a safe name of a file
 */
record ContentHash(String hex) {
    private static final Pattern GRAMMAR = Pattern.compile("[0-9a-f]{64}");

    ContentHash {
        if (!isOne(hex)) {
            throw new IllegalArgumentException("not a SHA-256: " + hex);
        }
    }

    static boolean isOne(String text) {
        return GRAMMAR.matcher(text).matches();
    }

    static ContentHash of(byte[] bytes) {
        return new ContentHash(HexFormat.of().formatHex(bytes));
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
