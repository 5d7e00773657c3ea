package rookery.platform.http;

/** How large an answer may become that is told in pages or portions: they end by bytes as well as by number (contract.md 2.8). */
public final class PageBytes {
    /** A page ends with the item that reaches it: a hundred events may have 64 KiB each. */
    public static final int PAGE_MAX = 1 << 20;

    /** A portion of an answer that is written while it is read. */
    public static final int PORTION_MAX = 256 << 10;

    private static final int ONE_BYTE_BELOW = 0x80;
    private static final int TWO_BYTES_BELOW = 0x800;

    private PageBytes() {}

    /** How many bytes a text takes in an answer. */
    public static long of(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= ONE_BYTE_BELOW) {
                bytes += character < TWO_BYTES_BELOW || Character.isSurrogate(character) ? 1 : 2;
            }
        }
        return bytes;
    }
}
