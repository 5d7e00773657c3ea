// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import java.nio.charset.StandardCharsets;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The key of a pusher within its user's pushers. */
record PusherKey(String appId, String pushkey) {
    private static final int APP_ID_BYTES_MAX = 64;
    private static final int PUSHKEY_BYTES_MAX = 512;

    PusherKey {
        require(appId, APP_ID_BYTES_MAX, "app_id");
        require(pushkey, PUSHKEY_BYTES_MAX, "pushkey");
    }

    /** Whether the text can be stored. Pushers with other texts do not exist. */
    static boolean isPossible(String text, int bytesMax) {
        return !text.isEmpty()
                && text.indexOf('\0') < 0
                && text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                && text.getBytes(StandardCharsets.UTF_8).length <= bytesMax;
    }

    static boolean isPushkey(String text) {
        return isPossible(text, PUSHKEY_BYTES_MAX);
    }

    static boolean isAppId(String text) {
        return isPossible(text, APP_ID_BYTES_MAX);
    }

    private static void require(String text, int bytesMax, String field) {
        if (!isPossible(text, bytesMax)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM,
                    "the field %s has 1 to %d bytes, and characters that can be stored".formatted(field, bytesMax));
        }
    }
}
