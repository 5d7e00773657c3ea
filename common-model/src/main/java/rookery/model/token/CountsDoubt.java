// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import java.util.Arrays;

/** Whether a client may have received unread counts that are not final. */
public enum CountsDoubt {
    /** All counts that the client has received are final. */
    NONE(0),
    /** The node could only estimate some counts, and corrects them once it knows. */
    GUESSED(1),
    /** The rooms are unknown: the next final counts are sent for all rooms. */
    ALL(2);

    /** The value of {@link Mark#COUNTS_DOUBT} in tokens, which outlive a release. */
    public final long code;

    CountsDoubt(long code) {
        this.code = code;
    }

    static CountsDoubt of(long code) {
        return Arrays.stream(values())
                .filter(each -> each.code == code)
                .findFirst()
                .orElse(ALL);
    }
}
