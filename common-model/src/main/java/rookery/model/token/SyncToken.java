package rookery.model.token;

import org.jspecify.annotations.Nullable;

/**
 * Where a client stands in the two logs: everything at or below these positions it has been told (DESIGN.md 3).
 *
 * @param roomEpoch epoch of the room log; a token of an older one leads to a fresh sync
 * @param userEpoch epoch of the user log
 * @param userPos position in the shard of the user log that the user lives on
 * @param rooms position in each shard of the room log
 * @param typing which typing it was told last, if any was; no position, because typing is in no log
 */
public record SyncToken(
        long roomEpoch,
        long userEpoch,
        long userPos,
        Positions rooms,
        @Nullable TypingMark typing) {
    /** One that was told of no typing. */
    public SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms) {
        this(roomEpoch, userEpoch, userPos, rooms, null);
    }

    /** The same with another mark. */
    public SyncToken with(TypingMark mark) {
        return new SyncToken(roomEpoch, userEpoch, userPos, rooms, mark);
    }
}
