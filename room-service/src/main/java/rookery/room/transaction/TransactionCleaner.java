// SPDX-License-Identifier: Apache-2.0
package rookery.room.transaction;

import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Deletes transaction ids older than 24 hours (contract.md 2.7). Several instances may do so at once. */
@Component
class TransactionCleaner {
    private static final Logger log = LoggerFactory.getLogger(TransactionCleaner.class);

    private final Transactions transactions;
    private final Clock clock;

    TransactionCleaner(Transactions transactions, Clock clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Spring calls the method once, subscribes to the publisher again and again, and counts each delay from the end of
     * the last run.
     */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT10M")
    Mono<Void> clean() {
        return Mono.defer(this::empty)
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.getMessage())
                        .log("old transaction ids stay until the next try"))
                .onErrorComplete();
    }

    private Mono<Void> empty() {
        var due = TransactionBuckets.due(clock.millis());
        return due == null ? Mono.empty() : transactions.empty(due);
    }
}
