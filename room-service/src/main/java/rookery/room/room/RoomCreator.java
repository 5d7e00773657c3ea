// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import java.util.ArrayList;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.Tenants;
import rookery.room.draft.RoomDraft.OfCreation;
import rookery.room.inbox.ShownProfile;
import rookery.room.membership.AddressClient;
import rookery.room.membership.AliasClient;
import rookery.room.membership.ProfileClient;
import rookery.room.roomlog.RoomLog;

/**
 * Creates rooms: all initial events in one commit, or no room.
 *
 * <p>An alias is reserved before the commit and confirmed by the create event. If the process dies in between, the
 * reservation expires, or the room's log confirms the alias.
 */
@Component
class RoomCreator {
    private static final Logger log = LoggerFactory.getLogger(RoomCreator.class);

    private final RoomLog roomLog;
    private final ProfileClient profiles;
    private final AliasClient aliases;
    private final AddressClient addresses;
    private final NewRooms newRooms;
    private final Tenants tenants;
    private final RoomQuota quota;
    private final RandomGenerator random;

    RoomCreator(
            RoomLog roomLog,
            ProfileClient profiles,
            AliasClient aliases,
            AddressClient addresses,
            NewRooms newRooms,
            Tenants tenants,
            RoomQuota quota,
            RandomGenerator random) {
        this.roomLog = roomLog;
        this.profiles = profiles;
        this.aliases = aliases;
        this.addresses = addresses;
        this.newRooms = newRooms;
        this.tenants = tenants;
        this.quota = quota;
        this.random = random;
    }

    Mono<RoomId> create(Caller caller, JsonBody body) {
        return Mono.fromSupplier(() -> CreationRequest.of(body, caller.server(), tenants.roomVersion(caller.tenant())))
                .delayUntil(_ -> quota.requirePlace(caller.tenant()))
                .flatMap(request -> withAddresses(caller, request))
                .flatMap(request -> profiles(caller, request).flatMap(profiles -> create(caller, request, profiles)));
    }

    /** Adds the owners of addresses to the invitations; the creator's own address is skipped. */
    private Mono<CreationRequest> withAddresses(Caller caller, CreationRequest request) {
        return addresses
                .find(caller.tenant(), request.inviteAddresses())
                .map(users -> users.stream()
                        .filter(user -> !user.equals(caller.user()))
                        .toList())
                .map(request::inviting);
    }

    private Mono<Map<String, ShownProfile>> profiles(Caller caller, CreationRequest request) {
        var users = new ArrayList<UserId>(request.invite());
        var invited = new ArrayList<UserId>(request.invite());
        users.add(caller.user());
        request.initialState().stream()
                .filter(state -> state.type().equals(EventTypes.MEMBER))
                .forEach(state -> {
                    var user = new UserId(state.stateKey());
                    users.add(user);
                    if (isInvitation(state)) {
                        invited.add(user);
                    }
                });
        return profiles.find(caller.tenant(), users, invited);
    }

    private static boolean isInvitation(CreationRequest.State state) {
        return state.content().path("membership").asString("").equals(Membership.INVITE.word);
    }

    private Mono<RoomId> create(Caller caller, CreationRequest request, Map<String, ShownProfile> profiles) {
        return Mono.defer(() -> {
            var content = FirstEvents.creation(request, caller.user(), profiles);
            var made = newRooms.next(caller, request.version(), content);
            var creator = new TenantUser(caller.tenant(), caller.user());
            var events = new FirstEvents(request, made, creator, profiles, random).inOrder();
            var room = new TenantRoom(caller.tenant(), made.room());
            var draft = new OfCreation(room, caller.user(), made.madeAtMillis(), events, request.published());
            var created = roomLog.append(draft).thenReturn(made.room());
            return request.alias() == null ? created : withAlias(caller, request.alias(), made.room(), created);
        });
    }

    private Mono<RoomId> withAlias(Caller caller, RoomAlias alias, RoomId room, Mono<RoomId> created) {
        return aliases.reserve(caller.tenant(), alias, room, caller.user())
                .then(created)
                // with an unknown outcome of the commit, the reservation expires or is confirmed by the log
                .onErrorResume(
                        RoomCreator::isRefusal,
                        refusal -> released(caller, alias, room).then(Mono.error(refusal)));
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.status < 500;
    }

    private Mono<Void> released(Caller caller, RoomAlias alias, RoomId room) {
        return aliases.release(caller.tenant(), alias, room, caller.user()).onErrorResume(failure -> {
            log.atWarn()
                    .addKeyValue("cause", failure.getMessage())
                    .log("releasing an alias failed, the reservation will expire");
            return Mono.empty();
        });
    }
}
