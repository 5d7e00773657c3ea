// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;
import rookery.model.error.ApiException;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Lanes.TakenDrafts;
import rookery.platform.sql.ObservedConnections;

/**
 * Appends to the shards of one log: gathers drafts into batches, and appends each batch, possibly of many shards, in one
 * transaction under the locks of its shards (design.md 12, Append).
 *
 * <p>The locks cover the first read up to the commit. Therefore positions commit in order, no concurrent append changes the state
 * that a draft is judged on, and a reader who sees a position sees every position below (design.md 2).
 *
 * <p>A draft is answered only after the commit. If the answer to COMMIT is lost, the appender looks the batch up before it
 * retries: the batch is appended once or not at all.
 *
 * @param <D> a draft
 * @param <A> the answer to the draft's author
 */
public final class LogAppender<D, A> {
    private static final Logger log = LoggerFactory.getLogger(LogAppender.class);

    private static final int DRAFTS_MAX = 200;
    private static final int ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final LogEntries entries;
    private final BatchJudge<D, A> judge;
    private final TransactionalOperator tx;
    private final Consumer<List<LogRecord>> publisher;
    private final Clock clock;
    private final RandomGenerator random;
    private final Lanes<PendingDraft<D, A>> lanes;
    private final AtomicInteger beginning = new AtomicInteger();

    /**
     * The limits of concurrent appends.
     *
     * @param batches the most batches that run at once
     * @param shards the most shards of one batch
     */
    public record Width(int batches, int shards) {}

    /** @param publisher gets the entries of a batch after its commit, in order; must neither block nor fail */
    public LogAppender(
            LogEntries entries,
            BatchJudge<D, A> judge,
            TransactionalOperator tx,
            Consumer<List<LogRecord>> publisher,
            Clock clock,
            RandomGenerator random,
            Width width) {
        this.entries = entries;
        this.judge = judge;
        this.tx = tx;
        this.publisher = publisher;
        this.clock = clock;
        this.random = random;
        this.lanes = new Lanes<>(Shards.COUNT, new Lanes.Bounds(width.batches, width.shards, DRAFTS_MAX));
    }

    /**
     * Appends one draft, in turn with the other drafts of the shard. The answer follows the commit; a cancelled subscription does
     * not stop the append.
     *
     * @param turn the room or user, between which drafts take turns within a tenant
     */
    public Mono<A> append(int shard, TenantId tenant, String turn, D draft) {
        return Mono.defer(() -> {
            var pending = new PendingDraft<D, A>(draft, Sinks.one());
            lanes.add(shard, tenant.value(), turn, pending);
            begin();
            return pending.answer.asMono();
        });
    }

    private record PendingDraft<D, A>(D draft, Sinks.One<A> answer) {}

    /** A transaction that may have committed although its answer was lost. */
    private record Attempt<D, A>(
            List<TakenDrafts<PendingDraft<D, A>>> batch,
            List<Head> heads,
            long number,
            Decision<A> decision,
            List<LogRecord> records) {

        List<Head> ends() {
            var ends = new HashMap<Integer, Head>();
            heads.forEach(head -> ends.put(head.shard(), head));
            records.forEach(
                    record -> ends.put(record.shard(), new Head(record.shard(), record.epoch(), record.pos(), number)));
            return List.copyOf(ends.values());
        }
    }

    /** Starts as many batches as permitted. A batch that ends at once does not start the next batch in its own call. */
    private void begin() {
        if (beginning.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            for (var turn = lanes.next(); turn != null; turn = lanes.next()) {
                run(turn);
            }
            seen = beginning.addAndGet(-seen);
        } while (seen > 0);
    }

    private void run(Lanes<PendingDraft<D, A>>.Turn turn) {
        var taken = new AtomicReference<@Nullable List<TakenDrafts<PendingDraft<D, A>>>>();
        Function<List<Head>, List<TakenDrafts<PendingDraft<D, A>>>> take = heads -> {
            var batch = lanes.take(turn, heads.stream().map(Head::shard).toList());
            taken.set(batch);
            return batch;
        };
        Mono.defer(() -> lanes.isRemembered(turn) ? fromMemory(turn, take, taken) : Mono.just(false))
                .flatMap(
                        isAnswered -> isAnswered ? Mono.<Void>empty() : transaction(lanes.seen(turn), turn.waits, take))
                .onErrorResume(failure -> {
                    var batch = taken.get() == null ? lanes.takeAll(turn) : taken.get();
                    return failed(batch, failure, ATTEMPTS - 1);
                })
                .doFinally(_ -> {
                    lanes.end(turn);
                    begin();
                })
                .subscribe(_ -> {}, failure -> log.atError().setCause(failure).log("unexpected failure of a batch"));
    }

    /**
     * Appends with one statement, judged by the owner's memory of the shards. False if nothing is stored; the drafts are in their
     * lanes again then.
     */
    private Mono<Boolean> fromMemory(
            Lanes<PendingDraft<D, A>>.Turn turn,
            Function<List<Head>, List<TakenDrafts<PendingDraft<D, A>>>> take,
            AtomicReference<@Nullable List<TakenDrafts<PendingDraft<D, A>>>> taken) {
        var heads = lanes.seen(turn);
        var batch = take.apply(heads);
        var remembered = judge.remembered(drafts(heads, batch));
        if (remembered == null) {
            taken.set(null);
            lanes.giveBack(batch);
            return Mono.just(false);
        }
        var decision = new Decision<>(remembered.outcomes(), Mono.empty(), remembered.committed());
        var attempt = attempt(heads, batch, decision);
        return entries.guarded()
                .append(
                        heads,
                        attempt.number,
                        attempt.records,
                        clock.millis(),
                        remembered.unless(),
                        remembered.derived())
                .contextWrite(ObservedConnections::forLog)
                .onErrorResume(failure -> settled(attempt, failure).thenReturn(true))
                .doOnNext(isStored -> {
                    if (isStored) {
                        answer(attempt);
                    } else {
                        lanes.overtaken(turn);
                        taken.set(null);
                        lanes.giveBack(batch);
                    }
                });
    }

    private Mono<Void> committed(List<TakenDrafts<PendingDraft<D, A>>> batch, int attemptsLeft) {
        var seen = batch.stream().map(taken -> lanes.seen(taken.shard())).toList();
        return Mono.defer(() -> transaction(seen, true, _ -> batch))
                .onErrorResume(failure -> failed(batch, failure, attemptsLeft - 1));
    }

    /** Retries after a temporary failure; otherwise divides the batch until only the faulty drafts fail. */
    private Mono<Void> failed(List<TakenDrafts<PendingDraft<D, A>>> batch, Throwable failure, int attemptsLeft) {
        if (failure instanceof BranchedLogException branch) {
            return attemptsLeft > 0
                    ? entries.settle(branch)
                            .then(Mono.defer(() -> committed(batch, attemptsLeft)))
                            .onErrorResume(refusal -> failed(batch, refusal, 0))
                    : failed(batch, ApiException.unavailable("the database was replaced, try again in a moment"), 0);
        }
        if (attemptsLeft > 0 && mayTryAgain(batch, failure)) {
            return Mono.delay(PAUSE).then(Mono.defer(() -> committed(batch, attemptsLeft)));
        }
        boolean isTemporary = failure instanceof ApiException || Failures.isAway(failure);
        if (batch.size() > 1 && !isTemporary) {
            return inTurn(batch.stream().map(List::of).toList(), failure);
        }
        var only = batch.getFirst();
        if (only.drafts().size() > 1 && !isTemporary && !Failures.isLockTimeout(failure)) {
            // one draft makes the statement fail or time out for all drafts
            int half = only.drafts().size() / 2;
            return inTurn(
                    List.of(
                            List.of(new TakenDrafts<>(
                                    only.shard(), only.drafts().subList(0, half))),
                            List.of(new TakenDrafts<>(
                                    only.shard(),
                                    only.drafts().subList(half, only.drafts().size())))),
                    failure);
        }
        log.atWarn().addKeyValue("shards", shards(batch)).setCause(failure).log("a batch failed");
        for (var taken : batch) {
            lanes.noteLocked(taken.shard(), Failures.isLockTimeout(failure));
            taken.drafts().forEach(pending -> pending.answer.tryEmitError(failure));
        }
        return Mono.empty();
    }

    private Mono<Void> inTurn(List<List<TakenDrafts<PendingDraft<D, A>>>> parts, Throwable failure) {
        log.atWarn().addKeyValue("parts", parts.size()).setCause(failure).log("a batch is divided");
        return Flux.fromIterable(parts)
                .concatMap(part -> committed(part, ATTEMPTS))
                .then();
    }

    /**
     * A statement that timed out is not retried, because it would time out again. A lock timeout is retried, but not if an
     * earlier batch has timed out on the same shard: then each batch has one attempt until a lock succeeds.
     */
    private boolean mayTryAgain(List<TakenDrafts<PendingDraft<D, A>>> batch, Throwable failure) {
        return Failures.isPassing(failure)
                && !Failures.isStatementTimeout(failure)
                && !(Failures.isLockTimeout(failure)
                        && batch.stream().anyMatch(taken -> lanes.isLocked(taken.shard())));
    }

    private static <T> List<Integer> shards(List<TakenDrafts<T>> batch) {
        return batch.stream().map(TakenDrafts::shard).toList();
    }

    /**
     * Runs one attempt. On success the drafts are answered, or no shard could be locked; on failure nothing is stored.
     *
     * @param seen the shards to lock
     * @param batch the drafts for the locked shards
     */
    private Mono<Void> transaction(
            List<Head> seen, boolean waiting, Function<List<Head>, List<TakenDrafts<PendingDraft<D, A>>>> batch) {
        var unanswered = new AtomicReference<Attempt<D, A>>();
        return entries.lock(seen, waiting)
                .flatMap(heads -> {
                    var drafts = batch.apply(heads);
                    return drafts.isEmpty() ? Mono.<Attempt<D, A>>empty() : judged(heads, drafts);
                })
                .flatMap(this::written)
                .doOnNext(unanswered::set) // from here on only the COMMIT is missing
                .as(tx::transactional)
                .contextWrite(ObservedConnections::forLog)
                .onErrorResume(failure -> {
                    var lost = unanswered.get();
                    return lost == null ? Mono.error(failure) : settled(lost, failure);
                })
                .doOnNext(this::answer)
                .then();
    }

    private Mono<Attempt<D, A>> judged(List<Head> heads, List<TakenDrafts<PendingDraft<D, A>>> batch) {
        return judge.judge(drafts(heads, batch)).map(decision -> attempt(heads, batch, decision));
    }

    private static <D, A> List<ShardDrafts<D>> drafts(List<Head> heads, List<TakenDrafts<PendingDraft<D, A>>> batch) {
        var drafts = new ArrayList<ShardDrafts<D>>();
        for (int i = 0; i < heads.size(); i++) {
            drafts.add(new ShardDrafts<>(
                    heads.get(i),
                    batch.get(i).drafts().stream().map(PendingDraft::draft).toList()));
        }
        return drafts;
    }

    private Attempt<D, A> attempt(List<Head> heads, List<TakenDrafts<PendingDraft<D, A>>> batch, Decision<A> decision) {
        long number =
                1 + (random.nextLong() >>> 1 & Long.MAX_VALUE - 1); // neither 0, which means unknown, nor negative
        var records = new ArrayList<LogRecord>();
        var outcomes = decision.outcomes().iterator();
        for (int i = 0; i < heads.size(); i++) {
            long pos = heads.get(i).pos();
            for (int draft = 0; draft < batch.get(i).drafts().size(); draft++) {
                if (outcomes.next() instanceof Outcome.Accepted<A>(var unit, var _)) {
                    for (int entry = 0; entry < unit.size(); entry++) {
                        pos++;
                        records.add(record(heads.get(i), number, pos, unit.get(entry), entry == unit.size() - 1));
                    }
                }
            }
        }
        return new Attempt<>(batch, heads, number, decision, records);
    }

    private static LogRecord record(Head head, long number, long pos, EntryDraft entry, boolean unitEnd) {
        return new LogRecord(
                head.shard(),
                head.epoch(),
                pos,
                entry.kind(),
                unitEnd,
                entry.tenant(),
                entry.room(),
                entry.subject(),
                entry.body(),
                number,
                head.number());
    }

    private Mono<Attempt<D, A>> written(Attempt<D, A> attempt) {
        return entries.append(attempt.number, attempt.records, clock.millis())
                .then(attempt.decision.derived())
                .thenReturn(attempt);
    }

    /** Finds out whether a batch with a lost answer has committed: the lock waits until the lost transaction has ended. */
    private Mono<Attempt<D, A>> settled(Attempt<D, A> lost, Throwable failure) {
        if (lost.records.isEmpty()) {
            return Mono.error(failure);
        }
        log.atWarn().addKeyValue("shards", shards(lost.batch)).setCause(failure).log("the answer of a commit was lost");
        int shard = lost.records.getFirst().shard(); // a batch commits in all of its shards or in none
        long after = lost.records.getFirst().pos() - 1;
        return Mono.defer(() -> entries.lock(List.of(new Head(shard, 0, 0)), true)
                        .flatMap(_ -> entries.landed(shard, after, lost.number))
                        .as(tx::transactional))
                .contextWrite(ObservedConnections::forLog)
                .retryWhen(Retry.fixedDelay(ATTEMPTS, PAUSE))
                .onErrorMap(_ -> ApiException.unavailable("it is not known whether this was stored, try again"))
                .flatMap(landed -> landed ? Mono.just(lost) : Mono.error(failure));
    }

    /** The batch is in the log already: no failure here may lead to a retry. */
    private void afterCommit(Attempt<D, A> attempt) {
        try {
            for (var end : attempt.ends()) {
                lanes.appended(end);
                lanes.noteLocked(end.shard(), false);
            }
            attempt.decision.committed().run();
            publisher.accept(attempt.records);
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("shards", shards(attempt.batch))
                    .setCause(e)
                    .log("unexpected failure after a commit");
        }
    }

    private void answer(Attempt<D, A> attempt) {
        afterCommit(attempt);
        var outcomes = attempt.decision.outcomes().iterator();
        for (var taken : attempt.batch) {
            for (var author : taken.drafts()) {
                switch (outcomes.next()) {
                    case Outcome.Accepted<A>(var _, var answer) -> author.answer.tryEmitValue(answer);
                    case Outcome.Refused<A>(var refusal) -> author.answer.tryEmitError(refusal);
                }
            }
        }
    }
}
