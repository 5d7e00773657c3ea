package rookery.sync.sync;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
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

    private final FollowedLog roomLog;
    private final UnreadAsker asker;
    private final JudgedEvents judged;
    /** Users of whom push-service must be asked once more. */
    private final Set<Inbox> unsettled = ConcurrentHashMap.newKeySet();

    UnreadPart(
            @Qualifier("roomLog") FollowedLog roomLog,
            UnreadAsker asker,
            JudgedEvents judged,
            Inboxes inboxes,
            MeterRegistry meters) {
        this.roomLog = roomLog;
        this.asker = asker;
        this.judged = judged;
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
     * The same, with counts.
     *
     * @param since null for the whole picture
     * @param read rooms that the reader has read in, whether or not that is told
     */
    Mono<Changes> added(Poll poll, @Nullable SyncToken since, Changes changes, Collection<RoomId> read) {
        var told = since == null ? null : poll.query.since();
        return reached(changes.next())
                .then(Mono.defer(() -> asked(poll, changes, read)))
                .map(upto -> told(poll, since, changes, withCorrected(poll, told, changes, read), upto));
    }

    /** The same with the counts of these rooms only, for an answer that tells of all rooms a few at a time. */
    Mono<Changes> addedToThese(Poll poll, Changes changes) {
        return reached(changes.next())
                .then(Mono.defer(() -> asked(poll, changes, List.of())))
                .map(upto -> {
                    poll.inbox.unread().corrections(poll.device, null); // all are told
                    return told(poll, null, changes, joined(changes), upto);
                });
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

    /** Asks push-service if need be; returns the positions as of which the counts can be told then. */
    private Mono<Positions> asked(Poll poll, Changes changes, Collection<RoomId> read) {
        var inbox = poll.inbox;
        var unread = inbox.unread();
        var data = inbox.data();
        var now = roomLog.now();
        unread.begin(new View(
                poll.owner.user(),
                now.epoch(),
                now.positions(),
                data.pushRules(),
                data.pushRulesAt(),
                data.ignored(),
                System.nanoTime()));
        forgetLeft(inbox, changes);
        learnNames(inbox, changes);
        var upto = now.positions().min(changes.next().rooms());
        var looked = joined(changes);
        looked.addAll(read);
        looked.addAll(unread.doubtful());
        places(inbox, looked, upto).values().forEach(place -> unread.look(place, upto.at(place.shard()), judged));
        var asking =
                new Asking(poll.owner.tenant(), poll.owner.user(), unread, concerned -> places(inbox, concerned, upto));
        long corrected = unread.corrected();
        return asker.asked(asking, upto).then(Mono.fromCallable(() -> {
            if (unread.corrected() > corrected) {
                inbox.waiters().wake(Wake.NEWS); // the user's other devices are told too
            }
            return upto;
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

    private Set<RoomId> withCorrected(Poll poll, @Nullable String since, Changes changes, Collection<RoomId> read) {
        var rooms = joined(changes);
        rooms.addAll(read);
        rooms.addAll(poll.inbox.unread().corrections(poll.device, since));
        return rooms;
    }

    private Changes told(Poll poll, @Nullable SyncToken since, Changes changes, Set<RoomId> rooms, Positions upto) {
        var unread = poll.inbox.unread();
        var places = places(poll.inbox, rooms, upto);
        if (!places.keySet().containsAll(joined(changes))) {
            unread.guess(); // this node is behind
        }
        var counts = new HashMap<RoomId, Counts>();
        places.forEach((room, place) -> counts.put(room, unread.tell(place, upto.at(place.shard()), judged)));
        if (unread.isUnsettled()) {
            unsettled.add(poll.inbox);
        }
        return changes.with(withRooms(poll, since, changes, counts.keySet()), counts);
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

    /** Whoever is waiting looks again, and asks. */
    @Scheduled(fixedDelayString = "${rookery.sync.unread.retry-interval:100ms}")
    void retry() {
        long now = System.nanoTime();
        var due = unsettled.stream().filter(inbox -> inbox.unread().isDue(now)).toList();
        for (var inbox : due) {
            unsettled.remove(inbox); // before it looks: that may add it again
            inbox.waiters().wake(Wake.NEWS);
        }
    }
}
