// SPDX-License-Identifier: Apache-2.0
package rookery.sync.online;

import java.time.Clock;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.tenant.Tenants;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.InboxLoader;
import rookery.sync.inbox.Inboxes;
import rookery.sync.inbox.MembershipsClient;
import rookery.sync.online.PresenceApi.Status;
import rookery.sync.presence.PresenceSets;
import rookery.sync.presence.PresenceState;
import rookery.sync.presence.PresenceText;

/** Sets the caller's presence, and reads the presence of users who share a room with the caller. */
@Component
class PresenceUse {
    private final PresenceKeeper keeper;
    private final PresenceSets sets;
    private final Inboxes inboxes;
    private final InboxLoader loader;
    private final MembershipsClient memberships;
    private final Tenants tenants;
    private final Clock clock;

    PresenceUse(
            PresenceKeeper keeper,
            PresenceSets sets,
            Inboxes inboxes,
            InboxLoader loader,
            MembershipsClient memberships,
            Tenants tenants,
            Clock clock) {
        this.keeper = keeper;
        this.sets = sets;
        this.inboxes = inboxes;
        this.loader = loader;
        this.memberships = memberships;
        this.tenants = tenants;
        this.clock = clock;
    }

    Mono<Void> set(Caller caller, String state, @Nullable String message) {
        if (!tenants.hasPresence(caller.tenant())) {
            return Mono.empty();
        }
        return Mono.using(
                () -> inboxes.enter(new TenantUser(caller.tenant(), caller.user())),
                inbox -> set(inbox, caller, state, message),
                inboxes::leave);
    }

    private Mono<Void> set(Inbox inbox, Caller caller, String state, @Nullable String message) {
        return loader.loaded(inbox).then(Mono.fromRunnable(() -> keeper.set(inbox, caller.device(), state, message)));
    }

    /** M_FORBIDDEN unless both users share a room; unknown users get the same error. */
    Mono<Status> status(Caller caller, String userId) {
        var user = user(caller, userId);
        if (caller.user().equals(user)) {
            return Mono.fromSupplier(() -> status(caller, user));
        }
        return Mono.zip(
                        rooms(caller, caller.user()),
                        rooms(caller, user),
                        (callerRooms, userRooms) -> !Collections.disjoint(callerRooms, userRooms))
                .filter(shared -> shared)
                .switchIfEmpty(Mono.error(PresenceUse::refused))
                .map(_ -> status(caller, user));
    }

    private static UserId user(Caller caller, String userId) {
        try {
            var user = new UserId(userId);
            if (user.isOf(caller.server())) {
                return user;
            }
        } catch (ApiException e) {
            throw refused().with("cause", e.reason);
        }
        throw refused();
    }

    private Mono<Set<RoomId>> rooms(Caller caller, UserId user) {
        return memberships.joinedRooms(new TenantUser(caller.tenant(), user));
    }

    private Status status(Caller caller, UserId user) {
        var presence = tenants.hasPresence(caller.tenant()) ? sets.find(caller.tenant(), user) : null;
        if (presence == null) {
            return new Status(PresenceState.OFFLINE, null, null, null);
        }
        long ago = Math.max(0, clock.millis() - presence.activeTs());
        return new Status(
                presence.state(),
                presence.activeTs() > 0 ? ago : null,
                presence.statusMsg(),
                PresenceText.isActive(presence, ago));
    }

    private static ApiException refused() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "you share no room with this user");
    }
}
