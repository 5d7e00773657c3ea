package rookery.model.token;

/**
 * Where a client stands in the two logs: everything at or below these positions it has been told (design.md 3).
 *
 * @param roomEpoch epoch of the room log; a token of an older one leads to a fresh sync
 * @param userEpoch epoch of the user log
 * @param userPos position in the shard of the user log that the user lives on
 * @param rooms position in each shard of the room log
 * @param marks what it was told of things that have no position in these logs, or are told more slowly than these move
 */
public record SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms, Marks marks) {
    /** One without marks. */
    public SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms) {
        this(roomEpoch, userEpoch, userPos, rooms, Marks.NONE);
    }

    /** The same with other marks. */
    @SuppressWarnings("ReferenceEquality") // only spares a copy
    public SyncToken with(Marks others) {
        return marks == others ? this : new SyncToken(roomEpoch, userEpoch, userPos, rooms, others);
    }
}
