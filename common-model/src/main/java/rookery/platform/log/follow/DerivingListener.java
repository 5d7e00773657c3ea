package rookery.platform.log.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Failures;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.Derivation.News;

/**
 * Follows a log for a service with a database (design.md 2). Blocks on purpose: the tail has a thread for it.
 *
 * <p>The position moves in the transaction of what was derived, by compare-and-set: several instances may follow, and whoever
 * comes second finds the work done. A stretch without news needs no transaction of its own: it is remembered with the next one
 * that has some, or after a while, for following it again changes nothing. Where the database has lost what this has followed,
 * everything derived is dropped, and the log followed from its beginning.
 *
 * @param <N> what an entry tells
 */
public final class DerivingListener<N> implements LogFollower {
    private static final Logger log = LoggerFactory.getLogger(DerivingListener.class);
    private static final Duration REMEMBER_AFTER = Duration.ofSeconds(10);
    private static final long REMEMBER_AFTER_ENTRIES = 1_000;

    private final FollowedShards followed;
    private final Derivation<N> derivation;
    private final TransactionalOperator tx;
    private final Clock clock;
    private final List<Head> remembered = new ArrayList<>();
    private final List<Instant> rememberedAt = new ArrayList<>();

    /** Of the log that the shards are of. */
    public DerivingListener(FollowedShards followed, Derivation<N> derivation, TransactionalOperator tx, Clock clock) {
        this.followed = followed;
        this.derivation = derivation;
        this.tx = tx;
        this.clock = clock;
    }

    @Override
    public Heads begin(LogState state) {
        var begin = now(begun(state));
        remembered.clear();
        rememberedAt.clear();
        for (int shard = 0; shard < begin.positions().shards(); shard++) {
            remembered.add(new Head(shard, begin.epoch(), begin.positions().at(shard), begin.numberAt(shard)));
            rememberedAt.add(clock.instant());
        }
        return begin;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return derivation.wants(bare);
    }

    @Override
    public void apply(Stretch stretch) {
        var news = news(stretch);
        if (news.isEmpty() && !isDue(stretch)) {
            return;
        }
        follow(stretch, news);
    }

    /** All of it in one transaction; if that fails, one half after the other, down to one unit: then only that one is in the way. */
    private void follow(Stretch stretch, List<News<N>> news) {
        try {
            var from = remembered.get(stretch.shard());
            while (from.pos() < stretch.coveredTo()) {
                from = now(moved(from, stretch, news));
            }
            remembered.set(stretch.shard(), from);
            rememberedAt.set(stretch.shard(), clock.instant());
        } catch (RuntimeException e) {
            if (Failures.isAway(e) || e instanceof IllegalStateException) {
                throw e;
            }
            followHalves(stretch, news, e);
        }
    }

    private void followHalves(Stretch stretch, List<News<N>> news, RuntimeException failure) {
        long middle = stretch.middle();
        if (middle == stretch.coveredTo()) {
            throw new UnitFailedException(remembered.get(stretch.shard()).pos(), failure);
        }
        log.atWarn()
                .addKeyValue("shard", stretch.shard())
                .addKeyValue("entries", stretch.entries().size())
                .addKeyValue("cause", String.valueOf(failure))
                .log("a stretch of the log cannot be derived at once and is halved");
        for (var half : List.of(stretch.upTo(middle), stretch.after(middle))) {
            follow(
                    half,
                    news.stream()
                            .filter(item -> half.contains(item.entry().pos()))
                            .toList());
        }
    }

    private Mono<Heads> begun(LogState state) {
        return followed.lock()
                .flatMap(ours -> {
                    if (ours.epoch() > state.heads().epoch()) {
                        return Mono.error(new IllegalStateException(
                                "another instance follows a newer epoch already")); // the tail asks again
                    }
                    return isPartOf(ours, state) ? goesOn(ours, state.heads().epoch()) : restarted(state.heads());
                })
                .as(tx::transactional);
    }

    /** Whether what we followed is the beginning of the log as it is; after a restore it may not be. */
    private static boolean isPartOf(Heads ours, LogState state) {
        return state.heads().positions().isAtLeast(ours.positions())
                && (ours.epoch() == state.heads().epoch() || state.earlier().hold(ours.epoch(), ours.positions()));
    }

    private Mono<Heads> goesOn(Heads ours, long epoch) {
        return ours.epoch() == epoch
                ? Mono.just(ours)
                : followed.carry(epoch).thenReturn(new Heads(epoch, ours.positions(), ours.numbers()));
    }

    private Mono<Heads> restarted(Heads heads) {
        var beginning =
                new Heads(heads.epoch(), Positions.zero(heads.positions().shards()));
        return derivation.drop().then(followed.restart(heads.epoch())).thenReturn(beginning);
    }

    /** Where the shard stands afterwards: at the end of the stretch, or where another instance has brought it. */
    private Mono<Head> moved(Head from, Stretch stretch, List<News<N>> news) {
        return followed.move(from, stretch.coveredTo(), stretch.number())
                .flatMap(first -> first ? derived(from, stretch, news) : other(from))
                .as(tx::transactional);
    }

    /** Another instance may have come a part of the way: its news are old. */
    private Mono<Head> derived(Head from, Stretch stretch, List<News<N>> news) {
        var newer =
                news.stream().filter(item -> item.entry().pos() > from.pos()).toList();
        var written = newer.isEmpty() ? Mono.<Void>empty() : derivation.write(newer);
        return written.thenReturn(new Head(stretch.shard(), stretch.epoch(), stretch.coveredTo(), stretch.number()));
    }

    private Mono<Head> other(Head from) {
        return followed.find(from.shard()).doOnNext(found -> {
            if (found.epoch() != from.epoch() || found.pos() <= from.pos()) {
                throw new IllegalStateException("the log is followed from its beginning again");
            }
        });
    }

    private boolean isDue(Stretch stretch) {
        return stretch.coveredTo() - remembered.get(stretch.shard()).pos() >= REMEMBER_AFTER_ENTRIES
                || !clock.instant().isBefore(rememberedAt.get(stretch.shard()).plus(REMEMBER_AFTER));
    }

    private List<News<N>> news(Stretch stretch) {
        var news = new ArrayList<News<N>>();
        for (var entry : stretch.entries()) {
            var told = derivation.wants(entry) ? read(entry) : null;
            if (told != null) {
                news.add(new News<>(entry, told));
            }
        }
        return news;
    }

    /** An entry that nobody can read must not stop all others. */
    private @Nullable N read(LogRecord entry) {
        try {
            return derivation.read(entry);
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("kind", entry.kind())
                    .addKeyValue("shard", entry.shard())
                    .addKeyValue("pos", entry.pos())
                    .addKeyValue("cause", e.getClass().getName())
                    .log("an entry cannot be read");
            return null;
        }
    }

    /** For as long as it takes: each statement has a deadline of its own, and a connection that falls silent is closed. */
    private static <T> T now(Mono<T> mono) {
        return Objects.requireNonNull(mono.block());
    }
}
