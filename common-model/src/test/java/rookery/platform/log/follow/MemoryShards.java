// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import io.r2dbc.spi.ConnectionFactories;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;

/** The table {@code follow} and the rows of a {@link MemoryDerivation} in memory, with transactions that roll back. */
final class MemoryShards extends FollowedShards implements TransactionalOperator {
    private static final DatabaseClient NONE =
            DatabaseClient.create(ConnectionFactories.get("r2dbc:postgresql://nobody@none/none"));

    final List<Head> heads = new ArrayList<>();
    /** The derived rows, as {@code pos=body}. */
    final List<String> rows = new ArrayList<>();
    /** The number of transactions. */
    int transactions;

    MemoryShards(Head... heads) {
        super(NONE, "test", "log");
        this.heads.addAll(List.of(heads));
    }

    @Override
    Mono<Heads> read() {
        return lock();
    }

    @Override
    Mono<Heads> lock() {
        return Mono.fromSupplier(() -> new Heads(
                heads.getFirst().epoch(),
                Positions.of(heads.stream().mapToLong(Head::pos).toArray()),
                heads.stream().map(Head::number).toList()));
    }

    @Override
    public Mono<Head> find(int shard) {
        return Mono.fromSupplier(() -> heads.get(shard));
    }

    @Override
    Mono<Void> restart(long epoch) {
        return Mono.fromRunnable(() -> heads.replaceAll(head -> new Head(head.shard(), epoch, 0)));
    }

    @Override
    Mono<Void> carry(long epoch) {
        return Mono.fromRunnable(
                () -> heads.replaceAll(head -> new Head(head.shard(), epoch, head.pos(), head.number())));
    }

    @Override
    Mono<Boolean> move(Head from, long to, long number) {
        return Mono.fromSupplier(() -> {
            var head = heads.get(from.shard());
            boolean matches = head.epoch() == from.epoch() && head.pos() == from.pos();
            if (matches) {
                heads.set(from.shard(), new Head(from.shard(), from.epoch(), to, number));
            }
            return matches;
        });
    }

    @Override
    Mono<Boolean> move(List<Head> from, List<Head> to) {
        return Flux.range(0, from.size())
                .concatMap(i -> move(from.get(i), to.get(i).pos(), to.get(i).number()))
                .all(moved -> moved);
    }

    @Override
    public <T> Mono<T> transactional(Mono<T> mono) {
        return execute(_ -> mono).singleOrEmpty();
    }

    @Override
    public <T> Flux<T> transactional(Flux<T> flux) {
        return execute(_ -> flux);
    }

    @Override
    @SuppressWarnings({"DataFlowIssue", "NullAway"}) // no work here asks for its transaction
    public <T> Flux<T> execute(TransactionCallback<T> action) {
        return Flux.defer(() -> {
            transactions++;
            var headsBefore = List.copyOf(heads);
            var rowsBefore = List.copyOf(rows);
            Publisher<T> work = action.doInTransaction(null);
            return Flux.from(work).doOnError(_ -> {
                heads.clear();
                heads.addAll(headsBefore);
                rows.clear();
                rows.addAll(rowsBefore);
            });
        });
    }
}
