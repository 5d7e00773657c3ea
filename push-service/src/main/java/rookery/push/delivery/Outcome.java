// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.Locale;

/** The outcome of a unit (contract.md 12.7, 14). */
enum Outcome {
    PENDING,
    DELIVERED,
    REJECTED,
    FAILED,
    SUPERSEDED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
