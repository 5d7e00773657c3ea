package rookery.room.event;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TransactionId;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.roomlog.RoomLog;
import rookery.room.transaction.TransactionKey;
import tools.jackson.databind.node.ObjectNode;

/** Sends message events: once per transaction id, in the order of the room, and judged by the authorization rules. */
@Component
class EventSender {
    private final RoomLog roomLog;
    private final RandomGenerator random;

    EventSender(RoomLog roomLog, RandomGenerator random) {
        this.roomLog = roomLog;
        this.random = random;
    }

    Mono<EventId> send(Caller caller, RoomId room, String type, ObjectNode content, TransactionId txnId) {
        return Mono.defer(() -> roomLog.append(checked(caller, room, type, content, txnId)))
                .map(answer -> Objects.requireNonNull(answer.eventId()));
    }

    private OfEvent checked(Caller caller, RoomId room, String type, ObjectNode content, TransactionId txnId) {
        ContentCheck.requireMessageType(type);
        var id = EventLine.newId(random);
        var key = new TenantRoom(caller.tenant(), room);
        var text = ContentCheck.checked(id, key, type, null, caller.user(), content);
        var request = "send " + room.value() + " " + type;
        var txn = new TransactionKey(caller.tenant(), caller.user(), caller.device(), request, txnId);
        return new OfEvent(key, caller.user(), id, type, null, content, text, txn);
    }
}
