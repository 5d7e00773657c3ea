package rookery.platform.log.follow;

import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;

/** Somebody who derives something from a log; called by one thread only, and may block it. */
public interface LogFollower {
    /**
     * Where to begin: called at the start, when the epoch was raised, and after {@link #apply} failed to move its position.
     * Who keeps nothing begins at the heads. What was derived under an older epoch goes on if that epoch holds so far; else, and where
     * it stands past the heads, it must be dropped.
     */
    Heads begin(LogState state);

    /** Whether the body of such an entry is needed; asked before it is read, with an empty body. */
    boolean wants(LogRecord bare);

    /** Applies a stretch wholly or not at all. A failure leads to {@link #begin} and another try. */
    void apply(Stretch stretch);
}
