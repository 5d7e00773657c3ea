package rookery.room.event;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.membership.MemberChanger;
import rookery.room.roomlog.RoomLog;
import tools.jackson.databind.node.ObjectNode;

/** Sets state. Equal content by the same sender makes no new event. */
@Component
class StateSetter {
    private final RoomLog roomLog;
    private final MemberChanger members;
    private final CanonicalAliasCheck aliases;
    private final RandomGenerator random;

    StateSetter(RoomLog roomLog, MemberChanger members, CanonicalAliasCheck aliases, RandomGenerator random) {
        this.roomLog = roomLog;
        this.members = members;
        this.aliases = aliases;
        this.random = random;
    }

    Mono<EventId> set(Caller caller, RoomId room, String type, String stateKey, JsonBody content) {
        return switch (type) {
            case EventTypes.CREATE ->
                Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "a room is created once, and not by its state"));
            case EventTypes.MEMBER -> members.set(caller, room, new UserId(stateKey), content);
            case EventTypes.CANONICAL_ALIAS ->
                aliases.require(caller, room, content)
                        .then(Mono.defer(() -> append(caller, room, type, stateKey, content)));
            default -> append(caller, room, type, stateKey, content);
        };
    }

    private Mono<EventId> append(Caller caller, RoomId room, String type, String stateKey, JsonBody content) {
        return Mono.defer(() -> roomLog.append(checked(caller, room, type, stateKey, content.json())))
                .map(answer -> Objects.requireNonNull(answer.eventId()));
    }

    private OfEvent checked(Caller caller, RoomId room, String type, String stateKey, ObjectNode content) {
        var id = EventLine.newId(random);
        var key = new TenantRoom(caller.tenant(), room);
        var text = ContentCheck.checked(id, key, type, stateKey, caller.user(), content);
        if (stateKey.isEmpty()) {
            ContentCheck.requireStateContent(type, content);
        }
        return new OfEvent(key, caller.user(), id, type, stateKey, content, text, null);
    }
}
