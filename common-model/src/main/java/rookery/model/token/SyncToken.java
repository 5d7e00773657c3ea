// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

/**
 * A client's position in the two logs: the client has received every entry at or below these positions (design.md 3).
 *
 * @param roomEpoch epoch of the room log; a token of an older epoch leads to a fresh sync
 * @param userEpoch epoch of the user log
 * @param userPos position in the user's shard of the user log
 * @param rooms position in each shard of the room log
 * @param marks the state of streams that have no position in these logs, or that lag behind their position
 */
public record SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms, Marks marks) {
    public SyncToken(long roomEpoch, long userEpoch, long userPos, Positions rooms) {
        this(roomEpoch, userEpoch, userPos, rooms, Marks.NONE);
    }

    @SuppressWarnings("ReferenceEquality") // avoids a copy
    public SyncToken with(Marks others) {
        return marks == others ? this : new SyncToken(roomEpoch, userEpoch, userPos, rooms, others);
    }
}
