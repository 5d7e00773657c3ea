package rookery.model.topic;

import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** What the topic {@link Topics#EPHEMERAL} tells: how things are for the next moments. Losing a record costs nothing. */
public sealed interface EphemeralRecord {
    /** Kind of {@link Typing}. */
    String TYPING = "typing";

    /**
     * A member types, or has stopped.
     *
     * @param pos end of the room's shard when they said so: what they did in the room after it has ended the typing
     * @param timeoutMillis for how long it holds, unless said again; 0 for having stopped
     * @param ts when they said so, in ms
     */
    record Typing(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis, long ts)
            implements EphemeralRecord {}
}
