// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
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
        return Mono.defer(() -> {
            ContentCheck.requireMessageType(type);
            var request = "send " + room.value() + " " + type;
            var txn = new TransactionKey(caller.tenant(), caller.user(), caller.device(), request, txnId);
            return roomLog.append(draft(caller, room, type, null, content, txn))
                    .map(answer -> Objects.requireNonNull(answer.eventId()));
        });
    }

    /** @param stateKey null for a message event */
    OfEvent draft(
            Caller caller,
            RoomId room,
            String type,
            @Nullable String stateKey,
            ObjectNode content,
            @Nullable TransactionKey txn) {
        var id = EventLine.newId(random);
        var key = new TenantRoom(caller.tenant(), room);
        var text = ContentCheck.checked(id, key, type, stateKey, caller.user(), content);
        if ("".equals(stateKey)) {
            ContentCheck.requireStateContent(type, content);
        }
        return new OfEvent(key, caller.user(), id, type, stateKey, content, text, txn);
    }
}
