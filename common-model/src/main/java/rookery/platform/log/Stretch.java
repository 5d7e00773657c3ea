package rookery.platform.log;

import java.util.List;
import rookery.model.topic.LogRecord;

/**
 * The next stretch of a shard: what follows directly on what the follower has had.
 *
 * @param from the position the follower stands at
 * @param entries everything after it that still exists, in order; the body of one that the follower did not want is empty
 * @param coveredTo the position the follower stands at afterwards
 * @param settledTo the last end of a unit up to there: nothing after it may be shown to clients yet
 */
public record Stretch(int shard, long epoch, long from, List<LogRecord> entries, long coveredTo, long settledTo) {}
