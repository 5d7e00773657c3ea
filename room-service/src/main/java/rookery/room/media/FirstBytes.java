// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The first bytes of a file, from which {@link ContentType} detects the type. */
final class FirstBytes {
    static final int BYTES_MAX = 1024;

    private final byte[] bytes;

    FirstBytes(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** Whether {@code expected}, a byte for each character of ISO 8859-1, is at this offset. */
    boolean has(int at, String expected) {
        byte[] pattern = expected.getBytes(StandardCharsets.ISO_8859_1);
        int end = at + pattern.length;
        return end <= bytes.length && Arrays.equals(bytes, at, end, pattern, 0, pattern.length);
    }

    /** Whether the bytes may be text: no control characters except white space. */
    boolean isText() {
        for (byte next : bytes) {
            if (next >= 0 && next < ' ' && next != '\t' && next != '\n' && next != '\r' && next != '\f') {
                return false;
            }
        }
        return true;
    }

    /** The bytes as ISO 8859-1, without a byte order mark and surrounding white space. */
    String text() {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return (text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text).strip();
    }
}
