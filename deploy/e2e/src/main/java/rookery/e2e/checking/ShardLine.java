// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Violation.Gap;
import rookery.e2e.checking.Violation.HalfUnit;
import rookery.e2e.checking.Violation.Overrun;

/**
 * A shard of a log, read from the tables.
 *
 * @param log {@code room} or {@code user}
 * @param head the shard's last assigned position
 * @param missing the lowest positions up to the head without an entry and without a permitted deletion
 * @param highest position of an entry; 0 for an empty shard
 * @param lastEndsUnit whether the entry at the head ends its unit; null without such an entry
 */
public record ShardLine(
        String log,
        int shard,
        long head,
        List<Long> missing,
        long highest,
        @Nullable Boolean lastEndsUnit) {
    public ShardLine {
        missing = List.copyOf(missing);
    }

    /** Checks that the written positions are exactly those up to the head, and that the last entry ends its unit. */
    public List<Violation> violations() {
        var violations = new ArrayList<Violation>();
        if (!missing.isEmpty()) {
            violations.add(new Gap(log, shard, head, missing));
        }
        if (highest > head) {
            violations.add(new Overrun(log, shard, head, highest));
        }
        if (Boolean.FALSE.equals(lastEndsUnit)) {
            violations.add(new HalfUnit(log, shard, head));
        }
        return violations;
    }
}
