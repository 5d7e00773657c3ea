package rookery.platform.log.follow;

import java.util.List;
import rookery.model.topic.LogRecord;

/**
 * The next stretch of a shard: what follows directly on what the follower has had.
 *
 * @param from the position the follower stands at
 * @param entries everything after it that still exists, in order; the body of one that the follower did not want is empty
 * @param coveredTo the position the follower stands at afterwards
 * @param number of the batch that holds that position; 0 if it is not known
 * @param settledTo the last end of a unit up to there: nothing after it may be shown to clients yet
 */
public record Stretch(
        int shard, long epoch, long from, List<LogRecord> entries, long coveredTo, long number, long settledTo) {
    boolean contains(long pos) {
        return from < pos && pos <= coveredTo;
    }

    /** The end of a unit that is nearest to the middle; the end of the stretch if it cannot be cut. */
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

    /** Of the first unit; the end of the stretch if that holds no end of a unit. */
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
