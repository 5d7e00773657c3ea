package rookery.sync.sync;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.token.CountsDoubt;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.log.Heads;
import rookery.sync.inbox.FollowedLog;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.Inboxes;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Line;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.unread.Counts;
import rookery.sync.unread.JudgedEvents;
import rookery.sync.unread.Names;
import rookery.sync.unread.Place;
import rookery.sync.unread.UnreadAsker;
import rookery.sync.unread.UnreadAsker.Asking;
import rookery.sync.unread.UserUnread.View;
import rookery.sync.waiting.Wake;

/** Adds what is unread to what is told of rooms, as of the same position: it alone makes a joined room appear. */
@Component
class UnreadPart {
    private static final Duration BEHIND_MAX = Duration.ofSeconds(1);
    private static final int RETRIES_AT_ONCE = 64;

    private final FollowedLog roomLog;
    private final FollowedLog userLog;
    private final UnreadAsker asker;
    private final JudgedEvents judged;
    private final RandomGenerator random;
    /** Users of whom push-service must be asked once more. */
    private final Set<Inbox> unsettled = ConcurrentHashMap.newKeySet();

    UnreadPart(
            @Qualifier("roomLog") FollowedLog roomLog,
            @Qualifier("userLog") FollowedLog userLog,
            UnreadAsker asker,
            JudgedEvents judged,
            RandomGenerator random,
            Inboxes inboxes,
            MeterRegistry meters) {
        this.roomLog = roomLog;
        this.userLog = userLog;
        this.asker = asker;
        this.judged = judged;
        this.random = random;
        Gauge.builder("sync_unread_rooms", inboxes, UnreadPart::held)
                .description("rooms and users of whom unread counts are held in memory")
                .register(meters);
        Gauge.builder("sync_unread_unsettled", unsettled, Set::size)
                .description("users whose unread counts wait for push-service")
                .register(meters);
    }

    private static double held(Inboxes inboxes) {
        return inboxes.all().stream().mapToInt(inbox -> inbox.unread().size()).sum();
    }

    /**
     * The same, with counts. Empty if another request has brought a newer ignore list: what that lets be unread is told together
     * with the events that it lets be seen.
     *
     * @param since null for the whole picture
     * @param read rooms that the reader has read in, whether or not that is told
     */
    Mono<Changes> added(Poll poll, @Nullable SyncToken since, Changes changes, Collection<RoomId> read) {
        return reached(changes.next())
                .then(Mono.defer(() -> asked(poll, since, changes, read)))
                .map(asked -> told(poll, since, changes, read, asked))
                .filter(_ -> poll.inbox.unread().isWithout(poll.ignored()));
    }

    /** The same with the counts of these rooms only, for an answer that tells of all rooms a few at a time. */
    Mono<Changes> addedToThese(Poll poll, Changes changes) {
        return reached(changes.next())
                .then(Mono.defer(() -> asked(poll, null, changes, List.of())))
                .map(asked -> told(poll, null, changes, List.of(), asked));
    }

    private static Set<RoomId> joined(Changes changes) {
        var rooms = new LinkedHashSet<RoomId>();
        changes.rooms().stream().filter(part -> part.section() == Section.JOIN).forEach(part -> rooms.add(part.room()));
        return rooms;
    }

    /** Room-service may have told of more than this node has followed: what that counts is known when it has. */
    private Mono<Void> reached(SyncToken next) {
        return roomLog.now().positions().isAtLeast(next.rooms())
                ? Mono.empty()
                : roomLog.reaches(new Heads(next.roomEpoch(), next.rooms()))
                        .timeout(BEHIND_MAX)
                        .onErrorComplete();
    }

    /** The positions as of which counts can be told, and what the reader was told before. */
    private record Asked(Positions upto, CountsTold before) {}

    /** Asks push-service if need be. */
    private Mono<Asked> asked(Poll poll, @Nullable SyncToken since, Changes changes, Collection<RoomId> read) {
        var inbox = poll.inbox;
        var unread = inbox.unread();
        var now = roomLog.now();
        unread.begin(new View(
                poll.owner.user(),
                now.epoch(),
                now.positions(),
                userLog.now().epoch(),
                poll.settings().counts(),
                System.nanoTime()));
        forgetLeft(inbox, changes);
        learnNames(inbox, changes);
        var upto = now.positions().min(changes.next().rooms());
        var looked = joined(changes);
        looked.addAll(read);
        looked.addAll(unread.doubtful());
        var before = CountsTold.before(poll, since, changes);
        if (before.doubt() == CountsDoubt.ALL) {
            looked.addAll(inbox.standings().joinedRooms(upto));
        }
        places(inbox, looked, upto).values().forEach(place -> unread.look(place, upto.at(place.shard()), judged));
        var asking =
                new Asking(poll.owner.tenant(), poll.owner.user(), unread, concerned -> places(inbox, concerned, upto));
        long corrected = unread.corrected();
        return asker.asked(asking, upto).then(Mono.fromCallable(() -> {
            if (unread.corrected() > corrected) {
                inbox.waiters().wake(Wake.NEWS); // the user's other devices are told too
            }
            return new Asked(upto, before);
        }));
    }

    /** Whoever is told of a room anew is told of their own membership too. */
    private static void learnNames(Inbox inbox, Changes changes) {
        var user = inbox.key().user().value();
        for (var part : changes.rooms()) {
            Stream.concat(part.state().stream(), part.timeline().stream())
                    .map(Line::held)
                    .filter(held -> held.event().meta().membership() != null
                            && user.equals(held.event().meta().stateKey()))
                    .forEach(held -> inbox.standings().learnName(part.room(), held.pos(), Names.in(held.event())));
        }
    }

    private static void forgetLeft(Inbox inbox, Changes changes) {
        for (var part : changes.rooms()) {
            if (part.section() != Section.JOIN && !inbox.standings().isJoined(part.room())) {
                inbox.unread().left(part.room());
            }
        }
    }

    private static Map<RoomId, Place> places(Inbox inbox, Collection<RoomId> rooms, Positions upto) {
        return inbox.standings().places(rooms, upto);
    }

    private Changes told(Poll poll, @Nullable SyncToken since, Changes changes, Collection<RoomId> read, Asked asked) {
        var unread = poll.inbox.unread();
        var before = asked.before;
        var upto = asked.upto;
        boolean tellsAll = before.doubt() == CountsDoubt.ALL && !unread.isUnsettled();
        long corrected = unread.corrected(); // whatever is corrected from now on is told next time
        var rooms = joined(changes);
        rooms.addAll(read);
        rooms.addAll(unread.corrections(before.corrections()));
        if (tellsAll) {
            rooms.addAll(poll.inbox.standings().joinedRooms(upto));
        }
        var places = places(poll.inbox, rooms, upto);
        if (!places.keySet().containsAll(joined(changes))) {
            unread.guess(); // this node is behind
        }
        var counts = new HashMap<RoomId, Counts>();
        places.forEach((room, place) -> counts.put(room, unread.tell(place, upto.at(place.shard()), judged)));
        boolean isGuessed = unread.isUnsettled();
        if (isGuessed) {
            unsettled.add(poll.inbox);
        }
        var next = new CountsTold(corrected, before.doubtAfter(tellsAll, isGuessed)).in(changes.next());
        return changes.with(next, withRooms(poll, since, changes, counts.keySet()), counts);
    }

    private static List<RoomPart> withRooms(Poll poll, @Nullable SyncToken since, Changes changes, Set<RoomId> rooms) {
        var parts = new ArrayList<>(changes.rooms());
        var missing = new LinkedHashSet<>(rooms);
        parts.forEach(part -> missing.remove(part.room()));
        for (var room : missing) {
            var part = DataPart.alone(poll, since, changes.next(), room);
            if (part != null) {
                parts.add(part);
            }
        }
        return parts;
    }

    /** Whoever is waiting looks again, and asks: a few at a time, so that there are not more of them than push-service can answer. */
    @Scheduled(fixedDelayString = "${rookery.sync.unread.retry-interval:100ms}")
    void retry() {
        unsettled.forEach(this::forgetSettled);
        if (asker.isAway()) {
            return;
        }
        long now = System.nanoTime();
        var due = new ArrayList<>(
                unsettled.stream().filter(inbox -> inbox.unread().isDue(now)).toList());
        Collections.shuffle(due, random); // so that each gets their turn
        for (var inbox : due.subList(0, Math.min(due.size(), RETRIES_AT_ONCE))) {
            unsettled.remove(inbox); // before it looks: that may add it again
            inbox.waiters().wake(Wake.NEWS);
        }
    }

    /** Another look may have asked for them meanwhile. */
    private void forgetSettled(Inbox inbox) {
        if (!inbox.unread().isWanting()) {
            unsettled.remove(inbox);
            if (inbox.unread().isWanting()) { // there is a new doubt since
                unsettled.add(inbox);
            }
        }
    }
}
