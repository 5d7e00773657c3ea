// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The place of an item in a list that is ordered by a number: {@code <number>_<id>} as text, the {@code next_batch} of contract.md 5.2.
 */
public record SortKey(long number, String id) {
    /** M_INVALID_PARAM for a text that no list has given out. */
    public static SortKey of(String text) {
        int end = text.indexOf('_');
        try {
            return new SortKey(Long.parseLong(text.substring(0, Math.max(end, 0))), text.substring(end + 1));
        } catch (NumberFormatException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "from is the next_batch of the answer before");
        }
    }

    public String text() {
        return number + "_" + id;
    }
}
