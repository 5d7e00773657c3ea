// SPDX-License-Identifier: Apache-2.0
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
 * Follows a log for a service with a database (design.md 2). Blocks the thread of the tail on purpose.
 *
 * <p>The position moves by compare-and-set in the transaction of the derived rows: several instances may follow a shard, and the
 * slower instance finds the work done. A stretch without parsed entries needs no transaction: its position is stored with the
 * next one that has some, or after a while, because following the stretch again has no effect. After lost commits, all derived
 * rows are dropped and the log is followed from its beginning.
 *
 * @param <N> the parsed form of an entry
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
    /** The positions before the owner was asked; null before the first time. */
    private @Nullable Heads followedBefore;

    public DerivingListener(FollowedShards followed, Derivation<N> derivation, TransactionalOperator tx, Clock clock) {
        this.followed = followed;
        this.derivation = derivation;
        this.tx = tx;
        this.clock = clock;
    }

    @Override
    public void beforeBegin() {
        followedBefore = now(followed.read());
    }

    @Override
    public Heads begin(LogState state) {
        var begin = now(started(state));
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
    public Duration gathering() {
        return derivation.gathering();
    }

    /** Uses one transaction for all shards. If the transaction fails, {@link #apply} follows each shard alone. */
    @Override
    public void prepare(List<Stretch> stretches) {
        var derived = new ArrayList<Stretch>();
        var news = new ArrayList<News<N>>();
        for (var stretch : stretches) {
            var ofStretch = newer(remembered.get(stretch.shard()), derivation.news(stretch.entries()));
            if (!ofStretch.isEmpty()) {
                derived.add(stretch);
                news.addAll(ofStretch);
            }
        }
        if (derived.size() < 2) {
            return;
        }
        try {
            now(together(derived, news).thenReturn(true));
        } catch (RuntimeException e) {
            if (!Failures.isAway(e)) {
                log.atInfo()
                        .addKeyValue("shards", derived.size())
                        .addKeyValue("cause", e.toString())
                        .log("shards cannot be followed in one transaction and are followed one by one");
            }
            return;
        }
        for (var stretch : derived) {
            remembered.set(stretch.shard(), end(stretch));
            rememberedAt.set(stretch.shard(), clock.instant());
        }
    }

    private Mono<Void> together(List<Stretch> stretches, List<News<N>> news) {
        var from = stretches.stream()
                .map(stretch -> remembered.get(stretch.shard()))
                .toList();
        return followed.move(from, stretches.stream().map(DerivingListener::end).toList())
                .flatMap(moved -> moved
                        ? derivation.write(news)
                        : Mono.error(new IllegalStateException("another instance has moved a position")))
                .as(tx::transactional);
    }

    private static Head end(Stretch stretch) {
        return new Head(stretch.shard(), stretch.epoch(), stretch.coveredTo(), stretch.number());
    }

    @Override
    public void apply(Stretch stretch) {
        if (remembered.get(stretch.shard()).pos() >= stretch.coveredTo()) {
            return; // by prepare
        }
        var news = derivation.news(stretch.entries());
        if (news.isEmpty() && !isDue(stretch)) {
            return;
        }
        follow(stretch, news);
    }

    /**
     * Follows the stretch in one transaction. If that fails, follows its halves, down to a single unit, so that only the failing
     * unit blocks the shard.
     */
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

    private Mono<Heads> started(LogState state) {
        return followed.lock()
                .flatMap(ours -> {
                    if (ours.epoch() > state.heads().epoch()) {
                        return Mono.error(new IllegalStateException(
                                "another instance follows a newer epoch already")); // the tail tries again
                    }
                    return isPartOf(ours, state) || wasPartOf(ours, state)
                            ? goesOn(ours, state.heads().epoch())
                            : restarted(state.heads());
                })
                .as(tx::transactional);
    }

    /** Whether the followed entries are still a part of the log; after a restore they may not be. */
    private static boolean isPartOf(Heads ours, LogState state) {
        return state.heads().positions().isAtLeast(ours.positions())
                && (ours.epoch() == state.heads().epoch() || state.earlier().hold(ours.epoch(), ours.positions()));
    }

    /**
     * Whether only entries newer than the owner's answer are missing there: another instance has followed them since the owner was
     * asked.
     */
    private boolean wasPartOf(Heads ours, LogState state) {
        var before = followedBefore;
        return before != null
                && before.epoch() == ours.epoch()
                && ours.epoch() == state.heads().epoch()
                && isPartOf(before, state);
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

    /** Moves the shard's position and returns it: the end of the stretch, or the position that another instance has reached. */
    private Mono<Head> moved(Head from, Stretch stretch, List<News<N>> news) {
        return followed.move(from, stretch.coveredTo(), stretch.number())
                .flatMap(first -> first ? derived(from, stretch, news) : other(from))
                .as(tx::transactional);
    }

    private Mono<Head> derived(Head from, Stretch stretch, List<News<N>> news) {
        var newer = newer(from, news);
        var written = newer.isEmpty() ? Mono.<Void>empty() : derivation.write(newer);
        return written.thenReturn(end(stretch));
    }

    /** Skips entries that another instance has derived already. */
    private static <N> List<News<N>> newer(Head from, List<News<N>> news) {
        return news.stream().filter(item -> item.entry().pos() > from.pos()).toList();
    }

    private Mono<Head> other(Head from) {
        return followed.find(from.shard()).doOnNext(current -> {
            if (current.epoch() != from.epoch() || current.pos() <= from.pos()) {
                throw new IllegalStateException("the log is followed from its beginning again");
            }
        });
    }

    private boolean isDue(Stretch stretch) {
        return stretch.coveredTo() - remembered.get(stretch.shard()).pos() >= REMEMBER_AFTER_ENTRIES
                || !clock.instant().isBefore(rememberedAt.get(stretch.shard()).plus(REMEMBER_AFTER));
    }

    /** Blocks without a timeout: every statement has a timeout, and silent connections are closed. */
    private static <T> T now(Mono<T> mono) {
        return Objects.requireNonNull(mono.block());
    }
}
