// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.Range;

/**
 * Derives all tables of a log anew, from its beginning to the follower's position, in one transaction. Readers see the old rows
 * until the commit; the follower waits for the lock and continues afterwards.
 *
 * @param <N> the parsed form of an entry
 */
public final class Rederivation<N> {
    /** The transaction is idle while the log's owner answers. */
    private static final String PATIENCE = "SET LOCAL idle_in_transaction_session_timeout = '60s'";

    private final FollowedShards followed;
    private final Derivation<N> derivation;
    private final LogOwner owner;
    private final DatabaseClient db;
    private final TransactionalOperator tx;

    /** @param derivation its {@code drop} must leave the old rows visible to readers until the commit */
    public Rederivation(
            FollowedShards followed,
            Derivation<N> derivation,
            LogOwner owner,
            DatabaseClient db,
            TransactionalOperator tx) {
        this.followed = followed;
        this.derivation = derivation;
        this.owner = owner;
        this.db = db;
        this.tx = tx;
    }

    /** The position in one shard, and the last position to derive. */
    public record Progress(int shard, long pos, long end) {}

    /** Emits the progress after every range; completes after the commit. */
    public Flux<Progress> run() {
        return tx.transactional(db.sql(PATIENCE)
                .then()
                .then(Mono.defer(followed::lock))
                .flatMapMany(heads -> derivation.drop().thenMany(shards(heads))));
    }

    private Flux<Progress> shards(Heads heads) {
        return Flux.fromStream(IntStream.range(0, heads.positions().shards()).boxed())
                .concatMap(
                        shard -> shard(heads.epoch(), shard, heads.positions().at(shard)));
    }

    private Flux<Progress> shard(long epoch, int shard, long end) {
        var at = new AtomicLong();
        return Mono.defer(() -> owner.range(shard, at.get(), 0))
                .flatMap(range -> derived(epoch, range, end).thenReturn(Math.min(range.coveredTo(), end)))
                .doOnNext(at::set)
                .map(pos -> new Progress(shard, pos, end))
                .repeat(() -> at.get() < end);
    }

    private Mono<Void> derived(long epoch, Range range, long end) {
        if (range.epoch() != epoch) {
            return Mono.error(new IllegalStateException("the log was restored meanwhile, begin again"));
        }
        var news = derivation.news(
                range.entries().stream().filter(entry -> entry.pos() <= end).toList());
        return news.isEmpty() ? Mono.empty() : derivation.write(news);
    }
}
