// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfRedaction;
import rookery.room.roomlog.RoomLog;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.TimelineRows;
import rookery.room.transaction.TransactionKey;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Redacts events that the sender can see, once per transaction id (contract.md 9.6). */
@Component
class EventRedactor {
    private static final String REDACTS = "redacts";

    private final RoomLog roomLog;
    private final RoomReader reader;
    private final TimelineRows timeline;
    private final RandomGenerator random;

    EventRedactor(RoomLog roomLog, RoomReader reader, TimelineRows timeline, RandomGenerator random) {
        this.roomLog = roomLog;
        this.reader = reader;
        this.timeline = timeline;
        this.random = random;
    }

    Mono<EventId> redact(Caller caller, RoomId room, EventId target, @Nullable String reason, TransactionId txnId) {
        var content = JsonNodeFactory.instance.objectNode().put(REDACTS, target.value());
        if (reason != null) {
            content.put("reason", reason);
        }
        var request = "redact " + room.value() + " " + target.value();
        return append(caller, room, new RedactionRequest(target, content, request, txnId));
    }

    /** Redacts through {@code /send}, where the content names the target; M_MISSING_PARAM without a target. */
    Mono<EventId> send(Caller caller, RoomId room, JsonBody content, TransactionId txnId) {
        var request = "send " + room.value() + " " + EventTypes.REDACTION;
        return append(caller, room, new RedactionRequest(target(content), content.json(), request, txnId));
    }

    static EventId target(JsonBody content) {
        return new EventId(content.string(REDACTS));
    }

    /** The redaction as {@code /send} makes it, without a transaction id. */
    Mono<OfRedaction> draft(Caller caller, RoomId room, JsonBody content) {
        return draft(caller, room, new RedactionRequest(target(content), content.json(), "", null));
    }

    private record RedactionRequest(
            EventId target,
            ObjectNode content,
            String request,
            @Nullable TransactionId txnId) {}

    private Mono<EventId> append(Caller caller, RoomId room, RedactionRequest request) {
        return draft(caller, room, request)
                .flatMap(roomLog::append)
                .map(answer -> Objects.requireNonNull(answer.eventId()));
    }

    private Mono<OfRedaction> draft(Caller caller, RoomId room, RedactionRequest request) {
        return requireOwn(caller, room, request.target)
                .then(Mono.defer(() -> sees(caller, room, request.target)))
                .map(seen -> checked(caller, room, request, seen));
    }

    /** A suspended user may redact only the user's own events: M_USER_SUSPENDED. */
    private Mono<Void> requireOwn(Caller caller, RoomId room, EventId target) {
        return caller.isSuspended()
                ? timeline.find(new TenantRoom(caller.tenant(), room), target)
                        .filter(event -> event.event().meta().sender().equals(caller.user()))
                        .switchIfEmpty(Mono.error(ApiException::suspended))
                        .then()
                : Mono.empty();
    }

    /** A sender who may not read the room may still repeat a request: its earlier answer is found under the lock. */
    private Mono<Boolean> sees(Caller caller, RoomId room, EventId target) {
        return reader.reading(caller, room)
                .flatMap(reading -> timeline.find(reading.room(), target).filter(reading::sees))
                .hasElement()
                .onErrorResume(ApiException.class, _ -> Mono.just(false));
    }

    private OfRedaction checked(Caller caller, RoomId room, RedactionRequest request, boolean seen) {
        var id = EventLine.newId(random);
        var key = new TenantRoom(caller.tenant(), room);
        var text = ContentCheck.checked(id, key, EventTypes.REDACTION, null, caller.user(), request.content);
        var txn = request.txnId == null
                ? null
                : new TransactionKey(caller.tenant(), caller.user(), caller.device(), request.request, request.txnId);
        var known = caller.known();
        return new OfRedaction(
                key,
                caller.user(),
                id,
                request.target,
                request.content,
                text,
                seen,
                known != null && known.admin(),
                txn);
    }
}
