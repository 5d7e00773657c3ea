// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Records of the topic {@link Topics#EPHEMERAL}: state of the next moments. A lost record costs nothing. */
public sealed interface EphemeralRecord {
    /** Kind of {@link Typing}. */
    String TYPING = "typing";
    /** Kind of {@link PresenceSet}. */
    String PRESENCE = "presence";

    /** Time of the record, in ms. */
    long ts();

    /**
     * A member types, or has stopped.
     *
     * @param pos end of the room's shard at that time: the member's later events in the room end the typing
     * @param timeoutMillis validity unless repeated; 0 if the member has stopped
     * @param ts time of the record, in ms
     */
    record Typing(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis, long ts)
            implements EphemeralRecord {}

    /**
     * A user's presence, from the user's sync node; the latest record wins.
     *
     * @param state online, unavailable or offline
     * @param activeTs time of the user's last action, in ms
     * @param holdsMillis validity unless repeated; the user is offline afterwards
     * @param displayname the user's display name, if the node knows it, as {@code avatarUrl}
     * @param rooms {@link rookery.model.id.RoomId#hash} of the user's rooms: only users in a shared room see the presence
     */
    record PresenceSet(
            TenantId tenant,
            UserId user,
            String state,
            @Nullable String statusMsg,
            long activeTs,
            long holdsMillis,
            @Nullable String displayname,
            @Nullable String avatarUrl,
            List<Long> rooms,
            long ts)
            implements EphemeralRecord {}
}
