// SPDX-License-Identifier: Apache-2.0
package rookery.room.spreading;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfProfile;
import rookery.room.inbox.ProfileSpreads;
import rookery.room.inbox.SpreadQueue.Spread;
import rookery.room.membership.RoomsOfUser;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.WorkQueue;

/**
 * Shows changed profiles in all joined rooms (contract.md 13.3), after the change has reached the local copy. Later joins show
 * the profile from the copy; earlier joins are found by reading the user's rooms once all running appends have ended. So no room
 * keeps an old profile (design.md 2).
 *
 * <p>Each room is judged by the copy at that time. Repetitions after a crash, or by two instances, write no event twice.
 */
@Component
class ProfileSpreader {
    private static final Logger log = LoggerFactory.getLogger(ProfileSpreader.class);
    private static final int CLAIMED_MAX = 10;
    private static final int ROOMS_AT_ONCE = 20;

    private final ProfileSpreads spreads;
    private final RoomsOfUser roomsOfUser;
    private final RoomLog roomLog;
    private final RandomGenerator random;
    private final SpreadingProperties properties;

    ProfileSpreader(
            ProfileSpreads spreads,
            RoomsOfUser roomsOfUser,
            RoomLog roomLog,
            RandomGenerator random,
            SpreadingProperties properties) {
        this.spreads = spreads;
        this.roomsOfUser = roomsOfUser;
        this.roomLog = roomLog;
        this.random = random;
        this.properties = properties;
    }

    /** Spring calls this method once, subscribes to the result repeatedly, and waits for its end before the next delay. */
    @Scheduled(initialDelayString = "PT0.2S", fixedDelayString = "${rookery.room.spreading.interval:PT0.2S}")
    Mono<Void> work() {
        return Mono.defer(() -> spreads.claim(properties.lease(), CLAIMED_MAX))
                .flatMap(claimed ->
                        claimed.isEmpty() ? Mono.empty() : roomsOfUser.settled().then(spread(claimed)))
                .onErrorResume(WorkQueue.logged(log, "claiming changed profiles failed, next attempt follows"));
    }

    private Mono<Void> spread(List<Spread> claimed) {
        return Flux.fromIterable(claimed).concatMap(this::spread).then();
    }

    /** A failed spread stays claimed and is repeated when the lease ends. */
    private Mono<Void> spread(Spread spread) {
        return from(spread, "")
                .then(Mono.defer(() -> spreads.finish(spread)))
                .onErrorResume(WorkQueue.logged(log, "spreading a changed profile failed, next attempt follows"));
    }

    private Mono<Void> from(Spread spread, String after) {
        return spreads.postpone(spread, properties.lease())
                .then(roomsOfUser.rooms(
                        spread.user().tenant(), spread.user().user(), List.of(Membership.JOIN), after, ROOMS_AT_ONCE))
                .flatMap(rooms -> rooms.isEmpty()
                        ? Mono.empty()
                        : show(spread, rooms)
                                .then(Mono.defer(
                                        () -> from(spread, rooms.getLast().value()))));
    }

    /** A failure is reported after all rooms have ended, so that no append is cancelled. */
    private Mono<Void> show(Spread spread, List<RoomId> rooms) {
        return Flux.fromIterable(rooms)
                .flatMapDelayError(room -> show(spread, room), ROOMS_AT_ONCE, 1)
                .filter(answer -> answer.eventId() != null)
                .count()
                .flatMap(this::pause);
    }

    private Mono<RoomAnswer> show(Spread spread, RoomId room) {
        var key = new TenantRoom(spread.user().tenant(), room);
        return roomLog.append(new OfProfile(key, spread.user().user(), EventLine.newId(random)));
    }

    private Mono<Void> pause(long written) {
        return written == 0
                ? Mono.empty()
                : Mono.delay(Duration.ofSeconds(1).multipliedBy(written).dividedBy(properties.eventsPerSecond()))
                        .then();
    }
}
