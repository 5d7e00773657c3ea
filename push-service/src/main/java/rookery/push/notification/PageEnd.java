// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The position after a page, from which the next page continues with older notifications; {@code listed} counts all pages so far.
 */
record PageEnd(long ts, String room, long pos, int listed) {
    /** Before the newest notification. */
    static final PageEnd START = new PageEnd(Long.MAX_VALUE, "", Long.MAX_VALUE, 0);

    private static final int PARTS = 4;
    private static final int LENGTH_MAX = 1_000;

    /** M_INVALID_PARAM for a malformed token. */
    static PageEnd of(@Nullable String token) {
        if (token == null) {
            return START;
        }
        try {
            if (token.length() <= LENGTH_MAX) {
                var text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
                var parts = text.split(" ", PARTS);
                if (parts.length == PARTS && parts[PARTS - 1].indexOf('\0') < 0) {
                    int listed = Integer.parseInt(parts[2]);
                    return new PageEnd(Long.parseLong(parts[0]), parts[PARTS - 1], Long.parseLong(parts[1]), listed);
                }
            }
        } catch (IllegalArgumentException _) {
            // refused below
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "from is no token of this list");
    }

    String token() {
        var text = ts + " " + pos + " " + listed + " " + room;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
