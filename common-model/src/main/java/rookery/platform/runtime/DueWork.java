// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
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

    /** Notes of the same tenth of a second are one, so the set stays small. */
    private static final long NOTE_MILLIS = 100;

    private static final long AT_ONCE = 0;

    private final Clock clock;
    private final NavigableSet<Long> notedMillis = new ConcurrentSkipListSet<>();
    private final AtomicLong regularMillis = new AtomicLong();

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
        notedMillis.add(delay.isZero() ? AT_ONCE : notedMillis(delay));
    }

    /** Rounded up: a look before the work is due finds nothing. */
    private long notedMillis(Duration delay) {
        return Math.ceilDiv(clock.instant().plus(delay).toEpochMilli(), NOTE_MILLIS) * NOTE_MILLIS;
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
        long now = clock.millis();
        boolean isDue = now >= regularMillis.get();
        for (var noted : notedMillis.headSet(now, true)) {
            isDue |= notedMillis.remove(noted);
        }
        if (isDue) {
            regularMillis.set(now + INTERVAL.toMillis());
        }
        return isDue;
    }
}
