// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import rookery.model.token.Positions;

/**
 * The ends of all shards of a log, read in one statement; also the positions of a follower.
 *
 * @param numbers the batch numbers of these positions, by shard; 0 for an unknown number, empty if all are unknown
 */
public record Heads(long epoch, Positions positions, List<Long> numbers) {
    public Heads(long epoch, Positions positions) {
        this(epoch, positions, List.of());
    }

    /** Returns the batch number of the shard's position; 0 if unknown. */
    public long numberAt(int shard) {
        return numbers.isEmpty() ? 0 : numbers.get(shard);
    }

    /**
     * Names these heads in a short text; {@link LogEpochs} computes the same in SQL. Numbers of batches are random, so other heads
     * have another stamp.
     */
    String stamp() {
        long sum = 0;
        long mixed = 0;
        for (int shard = 0; shard < positions.shards(); shard++) {
            sum += positions.at(shard);
            mixed ^= numberAt(shard);
        }
        return epoch + "." + sum + "." + mixed;
    }
}
