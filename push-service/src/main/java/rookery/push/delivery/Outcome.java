package rookery.push.delivery;

import java.util.Locale;

/** What became of a unit (contract.md 12.7, 14). */
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
