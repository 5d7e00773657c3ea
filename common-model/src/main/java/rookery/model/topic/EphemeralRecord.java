package rookery.model.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** What the topic {@link Topics#EPHEMERAL} tells: how things are for the next moments. Losing a record costs nothing. */
public sealed interface EphemeralRecord {
    /** Kind of {@link Typing}. */
    String TYPING = "typing";
    /** Kind of {@link PresenceSet}. */
    String PRESENCE = "presence";

    /** When it was said, in ms. */
    long ts();

    /**
     * A member types, or has stopped.
     *
     * @param pos end of the room's shard when they said so: what they did in the room after it has ended the typing
     * @param timeoutMillis for how long it holds, unless said again; 0 for having stopped
     * @param ts when they said so, in ms
     */
    record Typing(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis, long ts)
            implements EphemeralRecord {}

    /**
     * How a user is, as the sync node says that serves them; what was said last counts.
     *
     * @param state online, unavailable or offline
     * @param activeTs when they last did something, in ms
     * @param holdsMillis for how long it holds, unless said again; after that they are offline
     * @param displayname how they are shown, if the node knows; with {@code avatarUrl}
     * @param rooms {@link rookery.model.id.RoomId#hash} of the rooms they are in: only who shares one with them is told
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
