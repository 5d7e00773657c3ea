package rookery.platform.log;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.sql.ObservedConnections;

/**
 * Appends to the shards of one log: gathers drafts into batches, and makes each batch one transaction under the shard's lock.
 *
 * <p>The lock is held from before the first read until the commit, so positions commit in order, no draft is judged on a state
 * that another append is about to change, and whoever has seen a position has seen everything below it (DESIGN.md 2).
 *
 * <p>An answer is given after the commit, and only then. When the answer of a COMMIT is lost, the batch is looked up before it
 * is tried again: it lands once or not at all.
 *
 * @param <D> a draft
 * @param <A> what its author is answered
 */
public final class LogAppender<D, A> {
    private static final Logger log = LoggerFactory.getLogger(LogAppender.class);

    private static final int BATCH_MAX = 100;
    private static final int WAITING_MAX = 5_000;
    private static final int ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(250);
    /** How long after another transaction was seen to hold a shard it is tried again. */
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** No batch takes that long: what ran it has died of an error that nobody catches. */
    private static final long DEAD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LogEntries entries;
    private final BatchJudge<D, A> judge;
    private final TransactionalOperator tx;
    private final Consumer<List<LogRecord>> publisher;
    private final Clock clock;
    private final RandomGenerator random;
    private final List<Lane> lanes = new ArrayList<>();

    /** @param publisher gets the entries of a batch after its commit, in order; must neither block nor fail */
    public LogAppender(
            LogEntries entries,
            BatchJudge<D, A> judge,
            TransactionalOperator tx,
            Consumer<List<LogRecord>> publisher,
            Clock clock,
            RandomGenerator random) {
        this.entries = entries;
        this.judge = judge;
        this.tx = tx;
        this.publisher = publisher;
        this.clock = clock;
        this.random = random;
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            lanes.add(new Lane(shard));
        }
    }

    /**
     * Appends one draft, in turn with what else waits for the shard. The answer comes once it is committed; a caller who
     * goes away does not stop it.
     *
     * @param turn whose turn it is within the tenant: the room, or the user
     */
    public Mono<A> append(int shard, TenantId tenant, String turn, D draft) {
        return Mono.defer(() -> lanes.get(shard).add(tenant, turn, draft));
    }

    private record Pending<D, A>(D draft, Sinks.One<A> answer) {}

    /** A transaction that may have been committed although its answer was lost. */
    private record Attempt<A>(Head head, long batch, Decision<A> decision, List<LogRecord> records) {
        /** The end of the shard once it is committed. */
        Head end() {
            return records.isEmpty()
                    ? head
                    : new Head(head.shard(), head.epoch(), records.getLast().pos(), batch);
        }
    }

    private final class Lane {
        private final int shard;
        private final FairQueue<Pending<D, A>> waiting = new FairQueue<>();
        private boolean running;
        private long batchNanos;
        /** Whether the shard's lock was not free in time when it was last asked for. */
        private boolean held;

        private long heldUntilNanos;
        /** The end of the shard when this process last appended to it: the database must have that still. */
        private volatile @Nullable Head last;

        Lane(int shard) {
            this.shard = shard;
        }

        Mono<A> add(TenantId tenant, String turn, D draft) {
            var pending = new Pending<D, A>(draft, Sinks.one());
            synchronized (this) {
                if (waiting.size() >= WAITING_MAX) {
                    return Mono.error(
                            ApiException.unavailable("too many requests wait already, try again in a moment"));
                }
                long now = System.nanoTime();
                if (held && (running || now - heldUntilNanos < 0)) {
                    return Mono.error(
                            ApiException.unavailable("a part of the rooms is held up, try again in a moment"));
                }
                waiting.add(tenant.value(), turn, pending);
                if (running && now - batchNanos < DEAD_NANOS) {
                    return pending.answer.asMono();
                }
                if (running) {
                    log.atError().addKeyValue("shard", shard).log("a batch never ended; appending goes on without it");
                }
                running = true;
                batchNanos = now;
            }
            // one batch at a time: while it runs, the next one gathers
            Mono.defer(this::batch).repeat(this::goesOn).subscribe();
            return pending.answer.asMono();
        }

        private synchronized boolean goesOn() {
            running = waiting.size() > 0;
            return running;
        }

        private Mono<Void> batch() {
            List<Pending<D, A>> batch;
            synchronized (this) {
                batch = waiting.take(BATCH_MAX);
                batchNanos = System.nanoTime();
            }
            return committed(batch).doOnSuccess(_ -> noteHeld(false)).onErrorResume(failure -> {
                noteHeld(Failures.isLockTimeout(failure));
                log.atWarn().addKeyValue("shard", shard).setCause(failure).log("a batch failed");
                batch.forEach(pending -> pending.answer.tryEmitError(failure));
                return Mono.empty();
            });
        }

        private synchronized void noteHeld(boolean now) {
            held = now;
            heldUntilNanos = System.nanoTime() + HELD_NANOS;
        }

        private Mono<Void> committed(List<Pending<D, A>> batch) {
            return attempt(batch, ATTEMPTS).onErrorResume(failure -> {
                boolean nobodysFault =
                        failure instanceof ApiException || Failures.isAway(failure) || Failures.isLockTimeout(failure);
                if (batch.size() == 1 || nobodysFault) {
                    return Mono.error(failure);
                }
                // one draft spoils the statement for all, or makes it take too long: find it, and let only it fail
                log.atWarn().addKeyValue("shard", shard).setCause(failure).log("a batch is halved");
                int half = batch.size() / 2;
                return half(batch.subList(0, half)).then(Mono.defer(() -> half(batch.subList(half, batch.size()))));
            });
        }

        private Mono<Void> half(List<Pending<D, A>> batch) {
            return committed(batch).onErrorResume(failure -> {
                batch.forEach(pending -> pending.answer.tryEmitError(failure));
                return Mono.empty();
            });
        }

        private Mono<Void> attempt(List<Pending<D, A>> batch, int attemptsLeft) {
            var unanswered = new AtomicReference<Attempt<A>>();
            return transaction(batch, unanswered)
                    .onErrorResume(failure -> {
                        var lost = unanswered.get();
                        if (lost != null) {
                            return settled(lost, failure);
                        }
                        return Mono.error(failure);
                    })
                    .doOnNext(attempt -> answer(batch, attempt))
                    .then()
                    .onErrorResume(
                            BranchedLogException.class,
                            branch -> attemptsLeft > 1
                                    ? entries.raise(branch).then(Mono.defer(() -> attempt(batch, attemptsLeft - 1)))
                                    : Mono.error(ApiException.unavailable(
                                            "the database was replaced, try again in a moment")))
                    .onErrorResume(failure -> attemptsLeft > 1 && mayTryAgain(failure)
                            ? Mono.delay(PAUSE).then(Mono.defer(() -> attempt(batch, attemptsLeft - 1)))
                            : Mono.error(failure));
        }

        /**
         * A statement that took so long takes as long a moment later. A lock that was not free may be, where many append; where it was
         * not free for all attempts of a batch, the next ones have one attempt each until it is.
         */
        private synchronized boolean mayTryAgain(Throwable failure) {
            return Failures.isPassing(failure)
                    && !Failures.isStatementTimeout(failure)
                    && !(held && Failures.isLockTimeout(failure));
        }

        private Mono<Attempt<A>> transaction(List<Pending<D, A>> batch, AtomicReference<Attempt<A>> unanswered) {
            var drafts = batch.stream().map(Pending::draft).toList();
            return entries.lock(shard, last)
                    .flatMap(head -> judge.judge(head, drafts).map(decision -> attempt(head, decision)))
                    .flatMap(this::written)
                    .doOnNext(unanswered::set) // from here on only the COMMIT is missing
                    .as(tx::transactional)
                    .contextWrite(ObservedConnections::forLog);
        }

        private Attempt<A> attempt(Head head, Decision<A> decision) {
            long batch = 1 + (random.nextLong() >>> 1 & Long.MAX_VALUE - 1); // neither 0, which is none, nor negative
            var records = new ArrayList<LogRecord>();
            for (var outcome : decision.outcomes()) {
                if (outcome instanceof Outcome.Accepted<A>(var unit, var _)) {
                    for (int i = 0; i < unit.size(); i++) {
                        records.add(record(head, batch, records.size(), unit.get(i), i == unit.size() - 1));
                    }
                }
            }
            return new Attempt<>(head, batch, decision, records);
        }

        private static LogRecord record(Head head, long batch, int index, EntryDraft entry, boolean unitEnd) {
            return new LogRecord(
                    head.shard(),
                    head.epoch(),
                    head.pos() + 1 + index,
                    entry.kind(),
                    unitEnd,
                    entry.tenant(),
                    entry.room(),
                    entry.subject(),
                    entry.body(),
                    batch,
                    head.number());
        }

        private Mono<Attempt<A>> written(Attempt<A> attempt) {
            return entries.append(attempt.head, attempt.batch, attempt.records, clock.millis())
                    .then(attempt.decision.derived())
                    .thenReturn(attempt);
        }

        /** After a lost answer: the lock waits until the lost transaction has ended, one way or the other. */
        private Mono<Attempt<A>> settled(Attempt<A> lost, Throwable failure) {
            if (lost.records.isEmpty()) {
                return Mono.error(failure);
            }
            log.atWarn().addKeyValue("shard", shard).setCause(failure).log("the answer of a commit was lost");
            return Mono.defer(() -> entries.lock(shard, null)
                            .flatMap(_ -> entries.landed(shard, lost.head.pos(), lost.batch))
                            .as(tx::transactional))
                    .contextWrite(ObservedConnections::forLog)
                    .retryWhen(reactor.util.retry.Retry.fixedDelay(ATTEMPTS, PAUSE))
                    .onErrorMap(_ -> ApiException.unavailable("it is not known whether this was stored, try again"))
                    .flatMap(landed -> landed ? Mono.just(lost) : Mono.error(failure));
        }

        /** Whatever goes wrong here, the batch is in the log: it must not be tried again. */
        private void afterCommit(Attempt<A> attempt) {
            try {
                last = attempt.end();
                attempt.decision.committed().run();
                publisher.accept(attempt.records);
            } catch (RuntimeException e) {
                log.atError().addKeyValue("shard", shard).setCause(e).log("unexpected failure after a commit");
            }
        }

        private void answer(List<Pending<D, A>> batch, Attempt<A> attempt) {
            afterCommit(attempt);
            var outcomes = attempt.decision.outcomes();
            for (int i = 0; i < outcomes.size(); i++) {
                var author = batch.get(i).answer;
                switch (outcomes.get(i)) {
                    case Outcome.Accepted<A>(var _, var answer) -> author.tryEmitValue(answer);
                    case Outcome.Refused<A>(var refusal) -> author.tryEmitError(refusal);
                }
            }
        }
    }
}
