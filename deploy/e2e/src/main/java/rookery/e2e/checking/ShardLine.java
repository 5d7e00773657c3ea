package rookery.e2e.checking;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Violation.Gap;
import rookery.e2e.checking.Violation.HalfUnit;
import rookery.e2e.checking.Violation.Overrun;

/**
 * One shard of a log as its tables have it.
 *
 * @param log {@code room} or {@code user}
 * @param head the position that its counter stands at
 * @param missing positions up to the head that have no entry, and had none that was rightly deleted; the lowest few of them
 * @param highest position of an entry, 0 when there is none
 * @param lastEndsUnit whether the entry at the head ends its unit; null when there is none
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

    /** Every position up to the head was written, none above it, and the last entry ends its unit. */
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
