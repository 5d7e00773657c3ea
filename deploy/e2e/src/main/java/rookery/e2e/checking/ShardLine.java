package rookery.e2e.checking;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Violation.Gap;
import rookery.e2e.checking.Violation.HalfUnit;

/**
 * One shard of a log as its tables have it.
 *
 * @param log {@code room} or {@code user}
 * @param head the position that its counter stands at
 * @param entries how many entries there are
 * @param lowest position of an entry, 0 when there is none
 * @param highest position of an entry, 0 when there is none
 * @param lastEndsUnit whether the entry at the highest position ends its unit; null when there is none
 */
public record ShardLine(
        String log,
        int shard,
        long head,
        long entries,
        long lowest,
        long highest,
        @Nullable Boolean lastEndsUnit) {
    /** The entries stand at 1, 2, ... up to the head, and the last one ends its unit. */
    public List<Violation> violations() {
        var violations = new ArrayList<Violation>();
        boolean gapless = entries == head && highest == head && lowest == Math.min(1, head);
        if (!gapless) {
            violations.add(new Gap(log, shard, head, entries));
        }
        if (Boolean.FALSE.equals(lastEndsUnit)) {
            violations.add(new HalfUnit(log, shard, head));
        }
        return violations;
    }
}
