// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import java.util.UUID;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The place of a record in the list; a page begins after it.
 *
 * @param micros the record's time in microseconds
 */
record AuditKey(long micros, UUID id) {
    private static final AuditKey FIRST = new AuditKey(Long.MAX_VALUE / 2, new UUID(-1, -1));

    /** The key of a page token; the empty text is the beginning. M_INVALID_PARAM for another text. */
    static AuditKey of(String text) {
        if (text.isEmpty()) {
            return FIRST;
        }
        int end = text.indexOf('_');
        try {
            var key = new AuditKey(Long.parseLong(text.substring(0, end)), UUID.fromString(text.substring(end + 1)));
            if (key.micros >= 0 && key.micros <= FIRST.micros) { // PostgreSQL's time has no place for all others
                return key;
            }
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException _) {
            // refused below
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "from is the next_batch of the page before");
    }

    String text() {
        return micros + "_" + id;
    }
}
