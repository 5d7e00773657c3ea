// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.List;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;

/** A follower of a log, called by one thread, which it may block. */
public interface LogFollower {
    /** Called before the owner is asked for the state of {@link #begin}, so that the follower knows older positions than that. */
    default void beforeBegin() {}

    /**
     * Returns the start positions: called at the start, after a new epoch, and after {@link #apply} has failed to move its
     * position. A follower without stored state begins at the heads. State of an older epoch continues if that epoch is valid up
     * to the follower's positions; otherwise, and beyond the heads, the state must be dropped.
     */
    Heads begin(LogState state);

    /** Whether the follower needs the body of this entry, which is still empty here. */
    boolean wants(LogRecord bare);

    /**
     * Applies a stretch. A {@link UnitFailedException} names the position that the follower reached; only this shard pauses, and
     * the rest is offered again. Any other failure leads to {@link #begin}.
     */
    void apply(Stretch stretch);

    /**
     * The time for which entries gather after the follower was called, so that {@link #prepare} gets stretches of several shards.
     * Entries after a quiet moment do not wait. Zero, the default, for a follower that prepares nothing.
     */
    default Duration gathering() {
        return Duration.ZERO;
    }

    /**
     * May derive the rows of stretches of several shards together. Each stretch is then given to {@link #apply}, which derives the
     * rows that are missing. Never throws.
     */
    default void prepare(List<Stretch> stretches) {}
}
