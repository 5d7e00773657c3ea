// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * When a worker looks into the table of its work: after each note of this process, and at an interval for work that another
 * process has left behind. The worker's timer may thus run often without a query each time.
 */
public final class DueWork {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Clock clock;
    private final AtomicLong dueMillis = new AtomicLong();

    /** The first look is due at once. */
    public DueWork(Clock clock) {
        this.clock = clock;
    }

    /** Notes after the commit of the running transaction that the table has work from then on. */
    public Mono<Void> noteAtCommit(Duration delay) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .doOnNext(transaction -> transaction.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public Mono<Void> afterCommit() {
                        return Mono.fromRunnable(() -> note(delay));
                    }
                }))
                .then();
    }

    /** Notes that the table has work; call after the commit. */
    public void note() {
        note(Duration.ZERO);
    }

    /** Notes that the table has work from then on. */
    public void note(Duration delay) {
        dueMillis.accumulateAndGet(clock.instant().plus(delay).toEpochMilli(), Math::min);
    }

    /**
     * Reads the table if a look is due, and returns no rows otherwise. The next look is due at once if the table may have more
     * rows than the limit, or could not be read.
     */
    public <T> Mono<List<T>> look(int limit, Mono<List<T>> table) {
        return Mono.defer(() -> isDue()
                ? table.doOnNext(rows -> {
                            if (rows.size() >= limit) {
                                note();
                            }
                        })
                        .doOnError(_ -> note())
                : Mono.just(List.of()));
    }

    private boolean isDue() {
        long due = dueMillis.get();
        long now = clock.millis();
        return now >= due && dueMillis.compareAndSet(due, now + INTERVAL.toMillis());
    }
}
