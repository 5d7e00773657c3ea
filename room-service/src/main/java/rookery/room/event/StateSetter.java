// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

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
import rookery.room.membership.MemberChanger;

/** Sets state. Equal content by the same sender makes no new event. */
@Component
class StateSetter {
    private final EventSender sender;
    private final MemberChanger members;
    private final CanonicalAliasCheck aliases;

    StateSetter(EventSender sender, MemberChanger members, CanonicalAliasCheck aliases) {
        this.sender = sender;
        this.members = members;
        this.aliases = aliases;
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
        return Mono.defer(() -> sender.append(caller, room, type, stateKey, content.json(), null));
    }
}
