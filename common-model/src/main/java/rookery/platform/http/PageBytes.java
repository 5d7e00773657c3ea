// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

/** The size limits of pages and portions, which end by bytes as well as by number (contract.md 2.8). */
public final class PageBytes {
    /** A page ends with the item that reaches this size: a hundred events may have 64 KiB each. */
    public static final int PAGE_MAX = 1 << 20;

    /** The size of a portion of a streamed response. */
    public static final int PORTION_MAX = 256 << 10;

    private static final int ONE_BYTE_BELOW = 0x80;
    private static final int TWO_BYTES_BELOW = 0x800;

    private PageBytes() {}

    /** The number of UTF-8 bytes of a text. */
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
