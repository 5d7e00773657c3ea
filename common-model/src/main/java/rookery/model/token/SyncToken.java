package rookery.model.token;

/**
 * Where a client stands in the two logs: everything at or below these positions it has been told (DESIGN.md 3).
 *
 * @param roomEpoch epoch of the room log; a token of an older one leads to a fresh sync
 * @param userEpoch epoch of the user log
 * @param userPos position in the shard of the user log that the user lives on
 * @param rooms position in each shard of the room log
 */
public record SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms) {}
