// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes one part of a path and rejects parts that services might decode differently. */
final class PathPart {
    private static final int HEX = 16;

    private PathPart() {}

    /** The decoded part, or null if the part is not percent-encoded UTF-8. */
    static @Nullable String decoded(String part) {
        boolean plain = true;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c <= ' ' || c >= 0x7F) {
                return null;
            }
            plain &= c != '%';
        }
        return plain ? part : unescaped(part);
    }

    private static @Nullable String unescaped(String part) {
        var bytes = ByteBuffer.allocate(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c != '%') {
                bytes.put((byte) c);
                continue;
            }
            int high = i + 2 <= part.length() - 1 ? Character.digit(part.charAt(i + 1), HEX) : -1;
            int low = high < 0 ? -1 : Character.digit(part.charAt(i + 2), HEX);
            if (low < 0) {
                return null;
            }
            bytes.put((byte) (high * HEX + low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
