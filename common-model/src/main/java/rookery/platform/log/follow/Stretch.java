// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.List;
import rookery.model.topic.LogRecord;

/**
 * The entries of a shard that directly follow the follower's position.
 *
 * @param from the follower's position before
 * @param entries all existing entries after it, in order; without the body if the follower does not want it
 * @param coveredTo the follower's position afterwards
 * @param number the batch number of that position; 0 if unknown
 * @param settledTo the end of a unit up to which clients may see entries; not above {@code coveredTo}
 */
public record Stretch(
        int shard, long epoch, long from, List<LogRecord> entries, long coveredTo, long number, long settledTo) {
    boolean contains(long pos) {
        return from < pos && pos <= coveredTo;
    }

    /** The last end of a unit in the first half, otherwise the first one in the second half, otherwise the end of the stretch. */
    long middle() {
        long best = coveredTo;
        int half = entries.size() / 2;
        for (int i = 0; i < entries.size() - 1; i++) {
            if (entries.get(i).unitEnd() && (i < half || best == coveredTo)) {
                best = entries.get(i).pos();
            }
        }
        return best;
    }

    /** The end of the first unit; the end of the stretch if it contains no end of a unit. */
    long firstUnitEnd() {
        return entries.stream()
                .filter(LogRecord::unitEnd)
                .mapToLong(LogRecord::pos)
                .findFirst()
                .orElse(coveredTo);
    }

    Stretch upTo(long middle) {
        return new Stretch(shard, epoch, from, within(from, middle), middle, middle == coveredTo ? number : 0, middle);
    }

    Stretch after(long middle) {
        return new Stretch(
                shard, epoch, middle, within(middle, coveredTo), coveredTo, number, Math.max(middle, settledTo));
    }

    private List<LogRecord> within(long after, long to) {
        return entries.stream()
                .filter(entry -> after < entry.pos() && entry.pos() <= to)
                .toList();
    }
}
