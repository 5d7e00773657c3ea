package rookery.room.roomlog;

import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Forgets transaction ids after 24 hours (CONTRACT.md 2.7). Several instances may do so at once without harm. */
@Component
class TransactionCleaner {
    private static final Logger log = LoggerFactory.getLogger(TransactionCleaner.class);
    private static final Duration LIFE = Duration.ofHours(24);

    private final Transactions transactions;
    private final Clock clock;

    TransactionCleaner(Transactions transactions, Clock clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Spring asks for the publisher once and subscribes to it again and again, waiting for its end before it counts the delay. */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1M")
    Mono<Void> clean() {
        return Mono.defer(this::bite).onErrorResume(failure -> {
            log.atWarn().addKeyValue("cause", failure.getMessage()).log("old transaction ids stay until the next try");
            return Mono.empty();
        });
    }

    private Mono<Void> bite() {
        long before = clock.instant().minus(LIFE).toEpochMilli();
        return transactions.forget(before).flatMap(forgotten -> forgotten == 0 ? Mono.empty() : bite());
    }
}
