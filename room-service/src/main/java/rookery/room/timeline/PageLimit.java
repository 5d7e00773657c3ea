// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Parses limits of clients (contract.md 2.8): too large values are clamped, too small values are refused. */
public final class PageLimit {
    private static final int DIGITS_MAX = 9;

    private PageLimit() {}

    /** M_INVALID_PARAM for a text that is no integer, or an integer below {@code least}. */
    public static int of(@Nullable String text, int fallback, int least, int most) {
        if (text == null) {
            return fallback;
        }
        if (!text.matches("-?[0-9]+")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a limit is an integer");
        }
        boolean isHuge = text.replaceFirst("^-?0*", "").length() > DIGITS_MAX;
        long value = text.startsWith("-") ? -1 : isHuge ? most : Long.parseLong(text);
        return of(value, least, most);
    }

    /** M_INVALID_PARAM below {@code least}. */
    public static int of(long value, int least, int most) {
        if (value < least) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a limit is at least " + least);
        }
        return (int) Math.min(value, most);
    }
}
