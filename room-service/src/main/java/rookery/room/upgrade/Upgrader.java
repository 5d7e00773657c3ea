// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.event.RoomVersion;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.event.ContentCheck;
import rookery.room.inbox.ShownProfile;
import rookery.room.membership.ProfileClient;
import rookery.room.room.NewRooms;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.StateRows;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Upgrades rooms: both rooms change in one commit, or neither. */
@Component
class Upgrader {
    private static final String ADDITIONAL_CREATORS = "additional_creators";
    /** The parts of the create event that the new room keeps. */
    private static final List<String> KEPT = List.of("type", "m.federate");

    private final RoomLog roomLog;
    private final ProfileClient profiles;
    private final StateRows states;
    private final NewRooms newRooms;
    private final RandomGenerator random;

    Upgrader(RoomLog roomLog, ProfileClient profiles, StateRows states, NewRooms newRooms, RandomGenerator random) {
        this.roomLog = roomLog;
        this.profiles = profiles;
        this.states = states;
        this.newRooms = newRooms;
        this.random = random;
    }

    /** Returns the new room; a repetition by the same user returns the first one. */
    Mono<RoomId> upgrade(Caller caller, RoomId room, JsonBody body) {
        var key = new TenantRoom(caller.tenant(), room);
        return Mono.fromSupplier(() -> UpgradeRequest.of(body))
                .flatMap(request -> profile(caller)
                        .flatMap(profile ->
                                creation(key).map(creation -> draft(caller, key, request, creation, profile))))
                .flatMap(roomLog::append)
                .map(answer -> Objects.requireNonNull(answer.room()));
    }

    private record UpgradeRequest(RoomVersion version, List<UserId> additionalCreators) {
        static UpgradeRequest of(JsonBody body) {
            var version = NewRooms.supported(body.string("new_version"));
            var named = body.strings(ADDITIONAL_CREATORS);
            return new UpgradeRequest(
                    version,
                    version.hasUnboundedCreators()
                            ? named.stream().distinct().map(UserId::new).toList()
                            : List.of());
        }
    }

    private Mono<ShownProfile> profile(Caller caller) {
        return profiles.find(caller.tenant(), List.of(caller.user()))
                .mapNotNull(profiles -> profiles.get(caller.user().value()))
                .switchIfEmpty(
                        Mono.error(() -> new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated")));
    }

    /** The content of the old room's create event, which never changes; M_FORBIDDEN for an unknown room. */
    private Mono<ObjectNode> creation(TenantRoom room) {
        return states.at(room, room.shard(), Long.MAX_VALUE - 1, EventTypes.CREATE, "")
                .map(StoredEvent::content)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room")));
    }

    private OfUpgrade draft(
            Caller caller, TenantRoom room, UpgradeRequest request, ObjectNode before, ShownProfile profile) {
        var tombstone = EventLine.newId(random);
        var content = JsonNodeFactory.instance.objectNode();
        content.putObject("predecessor").put("room_id", room.room().value()).put("event_id", tombstone.value());
        KEPT.stream().filter(before::has).forEach(kept -> content.set(kept, before.get(kept)));
        if (!request.additionalCreators.isEmpty()) {
            var users = content.putArray(ADDITIONAL_CREATORS);
            request.additionalCreators.forEach(user -> users.add(user.value()));
        }
        // before ids are tried, because each attempt takes the hash of the content
        ContentCheck.checked(tombstone, room, EventTypes.CREATE, "", caller.user(), content);
        var replacement = newRooms.next(caller, request.version, content, room.shard());
        return new OfUpgrade(room, caller.user(), replacement, tombstone, profile, () -> EventLine.newId(random));
    }
}
