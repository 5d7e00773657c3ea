package rookery.room.media;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * SHA-256 of a file's bytes, under which the store keeps them.
 *
 * @param hex 64 lower-case hexadecimal digits, which make a safe name of a file
 */
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

    /** As the database has it. */
    public static ContentHash of(byte[] bytes) {
        return new ContentHash(HexFormat.of().formatHex(bytes));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
