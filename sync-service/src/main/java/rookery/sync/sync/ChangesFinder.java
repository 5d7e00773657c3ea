package rookery.sync.sync;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.model.token.TypingMark;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.platform.log.Heads;
import rookery.sync.inbox.FollowedLog;
import rookery.sync.inbox.Standings.RoomNews;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.stream.WarmRoom;
import rookery.sync.stream.WarmRoom.AskOwner;
import rookery.sync.stream.WarmRoom.Nothing;
import rookery.sync.stream.WarmRoom.Reading;
import rookery.sync.stream.WarmRoom.Said;
import rookery.sync.sync.RoomsClient.Answered;
import rookery.sync.sync.RoomsClient.Question;
import rookery.sync.typing.TypingSets;

/**
 * Finds what a reader has not been told: from memory where that reaches back far enough, and otherwise by one call to
 * room-service for all rooms that need it.
 */
@Component
class ChangesFinder {
    private final FollowedLog roomLog;
    private final FollowedLog userLog;
    private final RoomsClient owner;
    private final TypingSets typing;
    private final PresencePart presence;
    private final UnreadPart unread;
    private final Counter hits;
    private final Counter misses;

    ChangesFinder(
            @Qualifier("roomLog") FollowedLog roomLog,
            @Qualifier("userLog") FollowedLog userLog,
            RoomsClient owner,
            TypingSets typing,
            PresencePart presence,
            UnreadPart unread,
            MeterRegistry meters) {
        this.roomLog = roomLog;
        this.userLog = userLog;
        this.owner = owner;
        this.typing = typing;
        this.presence = presence;
        this.unread = unread;
        this.hits = ringReads(meters, "hit");
        this.misses = ringReads(meters, "miss");
    }

    private static Counter ringReads(MeterRegistry meters, String result) {
        return Counter.builder("sync_ring_reads")
                .description("rooms that were looked up in memory, by whether it reached back far enough")
                .tag("result", result)
                .register(meters);
    }

    /** Whether the reader begins anew: without a token, or with one from before a restore. */
    boolean beginsAnew(@Nullable SyncToken since) {
        return since == null
                || since.roomEpoch() < roomLog.now().epoch()
                || since.userEpoch() < userLog.now().epoch()
                || since.rooms().shards() != roomLog.now().positions().shards();
    }

    /** Whether all rooms are told: to who begins anew, or asks for it. */
    boolean tellsAll(Poll poll) {
        return poll.query.fullState() || beginsAnew(poll.since());
    }

    /** All rooms, a few at a time, those that the reader is in first. The first part also has what else there is to tell. */
    Flux<Changes> all(Poll poll) {
        var since = poll.since();
        if (since == null || beginsAnew(since)) {
            var users = userLog.now();
            poll.takeSettings(); // after the position: nothing older is told with it
            var mark = mark();
            return withPresence(
                    poll,
                    null,
                    owner.askForAll(question(poll, null, null, null)).map(answered -> {
                        var next = new SyncToken(
                                answered.epoch(), users.epoch(), userPos(poll, users), answered.positions(), mark);
                        return part(poll, null, next, answered);
                    }));
        }
        var next = next(poll);
        return withPresence(
                poll,
                since,
                owner.askForAll(question(poll, since.rooms(), next.rooms(), null))
                        .map(answered -> part(poll, since, next, answered)));
    }

    private TypingMark mark() {
        return typing.mark().withPresence(presence.mark());
    }

    /** The first part tells it. */
    private Flux<Changes> withPresence(Poll poll, @Nullable SyncToken since, Flux<Changes> parts) {
        return parts.index((number, part) -> number == 0 ? part.with(presence.told(poll, since, part.next())) : part)
                .concatMap(part -> unread.addedToThese(poll, part), 1);
    }

    private Changes part(Poll poll, @Nullable SyncToken since, SyncToken next, Answered answered) {
        var rooms = told(poll, answered, next);
        return DataPart.added(
                poll, since, next, EphemeralPart.ofThese(poll, since, next, rooms, answered.receipts(), typing));
    }

    private SyncToken next(Poll poll) {
        var rooms = roomLog.now();
        var users = userLog.now();
        poll.takeSettings(); // after the position: nothing older is told with it
        var since = Objects.requireNonNull(poll.since());
        if (since.roomEpoch() > rooms.epoch() || since.userEpoch() > users.epoch()) {
            throw ApiException.unavailable("the server was restored this moment, try again");
        }
        return new SyncToken(
                rooms.epoch(),
                users.epoch(),
                Math.max(since.userPos(), userPos(poll, users)),
                since.rooms().max(rooms.positions()),
                mark());
    }

    /**
     * Everything after the reader's token, up to where this node stands; not for who is told all. Empty if the ignore list changed
     * meanwhile: whoever asks looks again.
     */
    Mono<Changes> changes(Poll poll) {
        var next = next(poll);
        var since = Objects.requireNonNull(poll.since());
        var news = poll.inbox.standings().news(since.rooms(), next.rooms());
        if (news == null) {
            return owner.ask(question(poll, since.rooms(), next.rooms(), null))
                    .flatMap(answered -> changes(poll, since, next, told(poll, answered, next), answered.receipts()));
        }
        return recent(poll, since, next, news.rooms(), news.unclear());
    }

    private Mono<Changes> recent(
            Poll poll, SyncToken since, SyncToken next, List<RoomNews> news, List<RoomId> unclear) {
        var parts = new ArrayList<RoomPart>();
        var receipts = new HashMap<RoomId, List<Receipt>>();
        var asked = new ArrayList<RoomId>();
        unclear.stream().filter(poll.filter.room()::passesRoom).forEach(asked::add);
        var ignored = poll.ignored();
        for (var room : news) {
            if (!poll.filter.room().passesRoom(room.room())) {
                continue;
            }
            long from = since.rooms().at(room.shard());
            long upto = next.rooms().at(room.shard());
            var read = EphemeralPart.takesReceipts(poll, room.room())
                    ? room.ring().receipts().between(from, upto, poll.owner.user())
                    : room.ring().receipts().ownBetween(from, upto, poll.owner.user()); // they change what is unread
            if (read == null) {
                asked.add(room.room());
                continue;
            }
            var range = room.ring().between(from, upto);
            switch (WarmRoom.tell(reading(poll, room, from, ignored), range, room.ring())) {
                case Said(var part) -> {
                    parts.add(part);
                    receipts.put(room.room(), read);
                }
                case Nothing() -> receipts.put(room.room(), read);
                case AskOwner() -> asked.add(room.room());
            }
            (range == null ? misses : hits).increment();
        }
        if (asked.isEmpty()) {
            return changes(poll, since, next, parts, receipts);
        }
        return owner.ask(question(poll, since.rooms(), next.rooms(), asked)).flatMap(answered -> {
            parts.addAll(told(poll, answered, next));
            receipts.putAll(answered.receipts());
            return changes(poll, since, next, parts, receipts);
        });
    }

    private Mono<Changes> changes(
            Poll poll,
            @Nullable SyncToken since,
            SyncToken next,
            List<RoomPart> parts,
            Map<RoomId, List<Receipt>> receipts) {
        var ephemeral = EphemeralPart.of(poll, since, next, parts, receipts, typing);
        var told = DataPart.added(poll, since, next, ephemeral).with(presence.told(poll, since, next));
        return unread.added(poll, since, told, since == null ? List.of() : readIn(poll, receipts));
    }

    private static List<RoomId> readIn(Poll poll, Map<RoomId, List<Receipt>> receipts) {
        var read = new ArrayList<RoomId>();
        receipts.forEach((room, all) -> {
            if (all.stream().anyMatch(receipt -> receipt.user().equals(poll.owner.user()))) {
                read.add(room);
            }
        });
        return read;
    }

    private static Reading reading(Poll poll, RoomNews room, long from, Set<String> ignored) {
        return new Reading(
                room.room(),
                room.shard(),
                room.joinedFrom(),
                room.met(),
                from,
                poll.filter.room(),
                ignored,
                poll.query.stateAfter());
    }

    private static Question question(
            Poll poll, @Nullable Positions since, @Nullable Positions upto, @Nullable List<RoomId> rooms) {
        return new Question(
                poll.owner.tenant(),
                poll.owner.user(),
                since == null ? null : since.toArray(),
                upto == null ? null : upto.toArray(),
                rooms,
                poll.filter.room(),
                poll.query.fullState(),
                poll.ignored(),
                poll.query.stateAfter());
    }

    /** What room-service told, remembered where it spares the next question. */
    private static List<RoomPart> told(Poll poll, Answered answered, SyncToken next) {
        if (answered.epoch() != next.roomEpoch()) {
            throw ApiException.unavailable("the server was restored this moment, try again");
        }
        var filter = poll.filter.room();
        if (showsAllMembers(filter)) {
            answered.rooms().forEach(part -> learn(poll, part, next.rooms().at(part.shard())));
        }
        return answered.rooms();
    }

    /** Whether the newest member event of a user that is told is the user's newest one. */
    private static boolean showsAllMembers(RoomFilter filter) {
        return filter.state().lazyLoadMembers()
                && filter.state().isOpen()
                && filter.timeline().isOpen();
    }

    private static void learn(Poll poll, RoomPart part, long asOf) {
        if (part.section() == Section.JOIN) {
            var lines = new ArrayList<>(part.state());
            lines.addAll(part.timeline());
            poll.inbox.standings().learn(part.room(), WarmRoom.newestMembers(lines), asOf);
        }
    }

    private static long userPos(Poll poll, Heads users) {
        return users.positions().at(Shards.of(poll.owner.user()));
    }
}
