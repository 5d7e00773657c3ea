package rookery.directory.inbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases;
import rookery.directory.alias.Aliases.RoomKey;
import rookery.directory.alias.RoomClient;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.Topics;
import rookery.platform.log.Head;
import rookery.platform.log.Heads;
import rookery.platform.log.LogFollower;
import rookery.platform.log.RoomLogText;
import rookery.platform.log.Stretch;

/**
 * Confirms aliases when the room log tells that their rooms were made, and moves them when a room took another one's place
 * (CONTRACT.md 8.4). Blocks on purpose: the tail has a thread for it.
 *
 * <p>The position moves in the transaction of what was confirmed, by compare-and-set: several instances may follow, and whoever
 * comes second finds the work done. A stretch in which no room was made needs no transaction of its own: it is remembered with
 * the next one that has, or after a while, for following it again changes nothing.
 */
@Component
class RoomLogListener implements LogFollower {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration REMEMBER_AFTER = Duration.ofSeconds(10);
    private static final long REMEMBER_AFTER_ENTRIES = 1_000;

    private final FollowedLogs followed;
    private final Aliases aliases;
    private final RoomClient rooms;
    private final TransactionalOperator tx;
    private final Clock clock;
    private final List<Head> remembered = new ArrayList<>();
    private final List<Instant> rememberedAt = new ArrayList<>();

    RoomLogListener(FollowedLogs followed, Aliases aliases, RoomClient rooms, TransactionalOperator tx, Clock clock) {
        this.followed = followed;
        this.aliases = aliases;
        this.rooms = rooms;
        this.tx = tx;
        this.clock = clock;
    }

    @Override
    public Heads begin(Heads heads) {
        var begin = now(begun(heads));
        remembered.clear();
        rememberedAt.clear();
        for (int shard = 0; shard < begin.positions().shards(); shard++) {
            remembered.add(new Head(shard, begin.epoch(), begin.positions().at(shard)));
            rememberedAt.add(clock.instant());
        }
        return begin;
    }

    /** Only a create event has news for us, and membership events are told from it by their header. */
    @Override
    public boolean wants(LogRecord bare) {
        return bare.kind().equals(RoomLogRecord.EVENT) && bare.subject() == null;
    }

    @Override
    public void apply(Stretch stretch) {
        var made = roomsMade(stretch);
        if (made.isEmpty() && !isDue(stretch)) {
            return;
        }
        var successors = successors(stretch, made);
        var from = remembered.get(stretch.shard());
        while (from.pos() < stretch.coveredTo()) {
            from = now(moved(from, stretch, made, successors));
        }
        remembered.set(stretch.shard(), from);
        rememberedAt.set(stretch.shard(), clock.instant());
    }

    private Mono<Heads> begun(Heads heads) {
        return followed.lock(Topics.ROOM_LOG)
                .flatMap(ours -> isPartOf(ours, heads) ? Mono.just(ours) : restarted(heads))
                .as(tx::transactional);
    }

    /** Whether what we followed is the beginning of the log as it is; after a restore it is not. */
    private static boolean isPartOf(Heads ours, Heads heads) {
        if (ours.epoch() > heads.epoch()) {
            throw new IllegalStateException("another instance follows a newer epoch already"); // the tail asks again
        }
        return ours.epoch() == heads.epoch() && heads.positions().isAtLeast(ours.positions());
    }

    private Mono<Heads> restarted(Heads heads) {
        var beginning =
                new Heads(heads.epoch(), Positions.zero(heads.positions().shards()));
        return aliases.doubtAll()
                .then(followed.restart(Topics.ROOM_LOG, heads.epoch()))
                .thenReturn(beginning);
    }

    /** Where the shard stands afterwards: at the end of the stretch, or where another instance has brought it. */
    private Mono<Head> moved(Head from, Stretch stretch, List<RoomKey> made, List<Succession> successors) {
        return followed.move(Topics.ROOM_LOG, from, stretch.coveredTo())
                .flatMap(first -> first ? confirmed(stretch, made, successors) : other(from))
                .as(tx::transactional);
    }

    private Mono<Head> confirmed(Stretch stretch, List<RoomKey> made, List<Succession> successors) {
        return aliases.confirmAll(made)
                .thenMany(Flux.fromIterable(successors))
                .concatMap(s -> aliases.move(s.room.tenant(), s.predecessor, s.room.room()))
                .then(Mono.just(new Head(stretch.shard(), stretch.epoch(), stretch.coveredTo())));
    }

    private Mono<Head> other(Head from) {
        return followed.find(Topics.ROOM_LOG, from.shard()).doOnNext(found -> {
            if (found.epoch() != from.epoch() || found.pos() <= from.pos()) {
                throw new IllegalStateException("the log is followed from its beginning again");
            }
        });
    }

    private record Succession(RoomKey room, RoomId predecessor) {}

    /** Asked before the transaction: a create event may claim any predecessor, and room-service knows which is true. */
    private List<Succession> successors(Stretch stretch, List<RoomKey> made) {
        var claim = stretch.entries().stream()
                .filter(entry -> entry.body().contains("\"predecessor\""))
                .map(LogRecord::room)
                .collect(Collectors.toSet());
        return now(Flux.fromIterable(made)
                .filter(room -> claim.contains(room.room()))
                .concatMap(room -> rooms.predecessor(room.tenant(), room.room())
                        .map(predecessor -> new Succession(room, predecessor)))
                .collectList());
    }

    private boolean isDue(Stretch stretch) {
        return stretch.coveredTo() - remembered.get(stretch.shard()).pos() >= REMEMBER_AFTER_ENTRIES
                || !clock.instant().isBefore(rememberedAt.get(stretch.shard()).plus(REMEMBER_AFTER));
    }

    private static List<RoomKey> roomsMade(Stretch stretch) {
        var made = new ArrayList<RoomKey>();
        for (var entry : stretch.entries()) {
            if (isCreate(entry)) {
                made.add(new RoomKey(entry.tenant(), Objects.requireNonNull(entry.room())));
            }
        }
        return made;
    }

    private static boolean isCreate(LogRecord entry) {
        // most events are not, and reading them all would be most of this service's work
        return entry.kind().equals(RoomLogRecord.EVENT)
                && entry.room() != null
                && entry.body().contains(EventTypes.CREATE)
                && RoomLogText.read(entry.kind(), entry.body()) instanceof EventAppended event
                && event.meta().type().equals(EventTypes.CREATE)
                && "".equals(event.meta().stateKey());
    }

    private static <T> T now(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE));
    }
}
