package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * What a push says of its event: kept once, however many are told. Names are those that everybody in the room may see.
 *
 * @param pos in the room's shard
 * @param ts when it was sent, in milliseconds since 1970
 * @param thread the root of its thread, null in the main timeline
 * @param contentJson a JSON object, as the event log has it
 */
public record UnitEvent(
        TenantId tenant,
        RoomId room,
        EventId event,
        long pos,
        long ts,
        @Nullable EventId thread,
        String type,
        @Nullable String stateKey,
        UserId sender,
        @Nullable String senderDisplayName,
        @Nullable String roomName,
        @Nullable String roomAlias,
        String contentJson) {}
