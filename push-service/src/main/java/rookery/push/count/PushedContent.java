package rookery.push.count;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** What a push tells of an event, whoever is told. */
public record PushedContent(
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
