// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.room.draft.EventLine;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.inbox.ProfileCopies;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.DelayedEvents;
import tools.jackson.databind.node.JsonNodeFactory;

/** Removes a deactivated user from all rooms (contract.md 5.3), by ordinary leave events. */
@Component
class Departure {
    private static final List<Membership> INSIDE = List.of(Membership.JOIN, Membership.INVITE, Membership.KNOCK);
    private static final int ROOMS_AT_ONCE = 20;
    private static final int PORTION = 500;

    private final ProfileCopies copies;
    private final RoomsOfUser roomsOfUser;
    private final RoomLog roomLog;
    private final DelayedEvents delayedEvents;
    private final RandomGenerator random;

    Departure(
            ProfileCopies copies,
            RoomsOfUser roomsOfUser,
            RoomLog roomLog,
            DelayedEvents delayedEvents,
            RandomGenerator random) {
        this.copies = copies;
        this.delayedEvents = delayedEvents;
        this.roomsOfUser = roomsOfUser;
        this.roomLog = roomLog;
        this.random = random;
    }

    /**
     * Leaves a portion of the rooms; 503 if rooms remain or a leave failed. First marks the user as deactivated, so
     * that no room accepts the user, and waits for the appends that did not see the mark.
     */
    Mono<Void> depart(TenantUser user, boolean erased) {
        return copies.depart(user, erased)
                .then(Mono.defer(() -> delayedEvents.delete(user)))
                .then(Mono.defer(roomsOfUser::settled))
                .then(Mono.defer(() -> leave(user, "", PORTION)));
    }

    private Mono<Void> leave(TenantUser user, String after, int left) {
        return roomsOfUser
                .rooms(user.tenant(), user.user(), INSIDE, after, ROOMS_AT_ONCE)
                .flatMap(rooms -> leave(user, rooms, left));
    }

    private Mono<Void> leave(TenantUser user, List<RoomId> rooms, int left) {
        if (rooms.isEmpty()) {
            return Mono.empty();
        }
        if (left <= 0) {
            return Mono.error(ApiException.unavailable("there are more rooms to leave, ask again"));
        }
        return Flux.fromIterable(rooms)
                .flatMapDelayError(room -> leave(user, room), ROOMS_AT_ONCE, 1)
                .then(Mono.defer(() -> leave(user, rooms.getLast().value(), left - rooms.size())));
    }

    private Mono<RoomAnswer> leave(TenantUser user, RoomId room) {
        var draft = new OfMember(
                new TenantRoom(user.tenant(), room),
                user.user(),
                user.user(),
                EventLine.newId(random),
                MemberAction.LEAVE,
                JsonNodeFactory.instance.objectNode(),
                false,
                null);
        return roomLog.append(draft).onErrorResume(Departure::isRefusal, _ -> Mono.empty());
    }

    /** A refusal means that the user is out of the room already, for example by a ban. */
    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.status < 500;
    }
}
