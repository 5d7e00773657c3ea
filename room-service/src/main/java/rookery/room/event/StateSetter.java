// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.Objects;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.RoomDraft.Delayable;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.membership.MemberChanger;
import rookery.room.roomlog.RoomLog;

/** Sets state. Equal content by the same sender makes no new event. */
@Component
class StateSetter {
    private final RoomLog roomLog;
    private final EventSender sender;
    private final MemberChanger members;
    private final CanonicalAliasCheck aliases;

    StateSetter(RoomLog roomLog, EventSender sender, MemberChanger members, CanonicalAliasCheck aliases) {
        this.roomLog = roomLog;
        this.sender = sender;
        this.members = members;
        this.aliases = aliases;
    }

    Mono<EventId> set(Caller caller, RoomId room, String type, String stateKey, JsonBody content) {
        return draft(caller, room, type, stateKey, content)
                .flatMap(roomLog::append)
                .map(answer -> Objects.requireNonNull(answer.eventId()));
    }

    Mono<? extends Delayable> draft(Caller caller, RoomId room, String type, String stateKey, JsonBody content) {
        return switch (type) {
            case EventTypes.CREATE -> Mono.error(created());
            case EventTypes.MEMBER -> members.setting(caller, room, new UserId(stateKey), content);
            case EventTypes.CANONICAL_ALIAS ->
                aliases.require(caller, room, content)
                        .then(Mono.fromSupplier(() -> event(caller, room, type, stateKey, content)));
            default -> Mono.fromSupplier(() -> event(caller, room, type, stateKey, content));
        };
    }

    static ApiException created() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "a room is created once, and not by its state");
    }

    private OfEvent event(Caller caller, RoomId room, String type, String stateKey, JsonBody content) {
        return sender.draft(caller, room, type, stateKey, content.json(), null);
    }
}
