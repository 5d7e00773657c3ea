package rookery.platform.log.append;

import java.util.List;
import rookery.model.token.Positions;

/**
 * The ends of all shards of a log, read in one statement; also how far a follower is.
 *
 * @param numbers of the batches that hold these positions, by shard, 0 where one is not known; empty where none is
 */
public record Heads(long epoch, Positions positions, List<Long> numbers) {
    /** Of which nobody asks for the batches. */
    public Heads(long epoch, Positions positions) {
        this(epoch, positions, List.of());
    }

    /** The number of the batch that holds the position of the shard; 0 if it is not known. */
    public long numberAt(int shard) {
        return numbers.isEmpty() ? 0 : numbers.get(shard);
    }
}
