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
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantRoom;
import rookery.platform.http.JsonBody;
import rookery.room.authorization.AuthRules;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.inbox.ShownProfile;
import rookery.room.membership.ProfileClient;
import rookery.room.room.RoomIds;
import rookery.room.roomlog.RoomLog;

/** Upgrades rooms: both rooms change in one commit, or neither. */
@Component
class Upgrader {
    private final RoomLog roomLog;
    private final ProfileClient profiles;
    private final RoomIds ids;
    private final RandomGenerator random;

    Upgrader(RoomLog roomLog, ProfileClient profiles, RoomIds ids, RandomGenerator random) {
        this.roomLog = roomLog;
        this.profiles = profiles;
        this.ids = ids;
        this.random = random;
    }

    /** Returns the new room; a repetition by the same user returns the first one. */
    Mono<RoomId> upgrade(Caller caller, RoomId room, JsonBody body) {
        return Mono.fromSupplier(() -> version(body))
                .flatMap(version -> profile(caller).map(profile -> draft(caller, room, version, profile)))
                .flatMap(roomLog::append)
                .map(answer -> Objects.requireNonNull(answer.room()));
    }

    private static String version(JsonBody body) {
        String version = body.string("new_version");
        if (!version.equals(AuthRules.ROOM_VERSION)) {
            throw new ApiException(
                    ErrorCode.M_UNSUPPORTED_ROOM_VERSION, "rooms are made with version " + AuthRules.ROOM_VERSION);
        }
        body.strings("additional_creators"); // validated only: room version 11 has no additional creators
        return version;
    }

    private Mono<ShownProfile> profile(Caller caller) {
        return profiles.find(caller.tenant(), List.of(caller.user()))
                .mapNotNull(profiles -> profiles.get(caller.user().value()))
                .switchIfEmpty(
                        Mono.error(() -> new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated")));
    }

    private OfUpgrade draft(Caller caller, RoomId room, String version, ShownProfile profile) {
        return new OfUpgrade(
                new TenantRoom(caller.tenant(), room),
                caller.user(),
                ids.next(caller.server(), Shards.of(room)),
                version,
                profile,
                () -> EventLine.newId(random));
    }
}
