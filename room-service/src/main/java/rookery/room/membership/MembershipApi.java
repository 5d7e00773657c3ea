// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomDraft.OfForgetting;
import rookery.room.membership.AddressClient.Address;
import rookery.room.roomlog.RoomLog;

/**
 * Joins, leaves, invitations, kicks and bans (contract.md 8.1). Errors: M_FORBIDDEN, M_NOT_FOUND, M_BAD_STATE,
 * M_INVALID_PARAM, M_THREEPID_NOT_FOUND.
 */
@RestController
class MembershipApi {
    private static final Map<String, Object> NOTHING = Map.of();

    private final MemberChanger members;
    private final AliasClient aliases;
    private final AddressClient addresses;
    private final RoomLog roomLog;

    MembershipApi(MemberChanger members, AliasClient aliases, AddressClient addresses, RoomLog roomLog) {
        this.members = members;
        this.aliases = aliases;
        this.addresses = addresses;
        this.roomLog = roomLog;
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/join")
    Mono<JoinAnswer> join(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return members.change(caller, roomId, caller.user(), MemberAction.JOIN, body)
                .thenReturn(new JoinAnswer(roomId));
    }

    @PostMapping("/_api/client/v3/join/{roomIdOrAlias}")
    Mono<JoinAnswer> join(Caller caller, @PathVariable String roomIdOrAlias, JsonBody body) {
        return room(caller, roomIdOrAlias).flatMap(room -> join(caller, room, body));
    }

    @PostMapping("/_api/client/v3/knock/{roomIdOrAlias}")
    Mono<JoinAnswer> knock(Caller caller, @PathVariable String roomIdOrAlias, JsonBody body) {
        return room(caller, roomIdOrAlias)
                .flatMap(room -> members.change(caller, room, caller.user(), MemberAction.KNOCK, body)
                        .thenReturn(new JoinAnswer(room)));
    }

    private Mono<RoomId> room(Caller caller, String roomIdOrAlias) {
        if (!roomIdOrAlias.startsWith("#")) {
            return Mono.just(new RoomId(roomIdOrAlias));
        }
        return aliases.find(caller.tenant(), new RoomAlias(roomIdOrAlias))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such alias")));
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/leave")
    Mono<Map<String, Object>> leave(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return members.change(caller, roomId, caller.user(), MemberAction.LEAVE, body)
                .thenReturn(NOTHING);
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/forget")
    Mono<Map<String, Object>> forget(Caller caller, @PathVariable RoomId roomId) {
        return roomLog.append(new OfForgetting(new TenantRoom(caller.tenant(), roomId), caller.user()))
                .thenReturn(NOTHING);
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/invite")
    Mono<Map<String, Object>> invite(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return invited(caller, body)
                .flatMap(user -> members.change(caller, roomId, user, MemberAction.INVITE, body))
                .thenReturn(NOTHING);
    }

    private Mono<UserId> invited(Caller caller, JsonBody body) {
        if (body.has("user_id") || !body.has("address")) {
            return Mono.fromSupplier(() -> new UserId(body.string("user_id")));
        }
        return addresses
                .find(caller.tenant(), List.of(Address.of(body)))
                .mapNotNull(users -> users.isEmpty() ? null : users.getFirst())
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_THREEPID_NOT_FOUND, "no user has bound this address")));
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/kick")
    Mono<Map<String, Object>> kick(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return change(caller, roomId, MemberAction.KICK, body);
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/ban")
    Mono<Map<String, Object>> ban(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return change(caller, roomId, MemberAction.BAN, body);
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/unban")
    Mono<Map<String, Object>> unban(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return change(caller, roomId, MemberAction.UNBAN, body);
    }

    private Mono<Map<String, Object>> change(Caller caller, RoomId room, MemberAction action, JsonBody body) {
        return members.change(caller, room, new UserId(body.string("user_id")), action, body)
                .thenReturn(NOTHING);
    }

    record JoinAnswer(@JsonProperty("room_id") RoomId roomId) {}
}
