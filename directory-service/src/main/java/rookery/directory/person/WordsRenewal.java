// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Recomputes the search words of accounts after a change of {@link SearchText#words}, portion by portion, on all
 * instances concurrently.
 */
@Component
class WordsRenewal {
    private static final Logger log = LoggerFactory.getLogger(WordsRenewal.class);

    private final UserDirectory directory;
    private final TransactionalOperator tx;

    WordsRenewal(UserDirectory directory, TransactionalOperator tx) {
        this.directory = directory;
        this.tx = tx;
    }

    /** Repeats until no account has old words. */
    @Scheduled(initialDelayString = "PT1S", fixedDelayString = "PT1M")
    Mono<Void> work() {
        return Mono.defer(this::portions).onErrorResume(failure -> {
            log.atWarn()
                    .addKeyValue("cause", failure.getMessage())
                    .log("names in the user directory wait for the next try");
            return Mono.empty();
        });
    }

    private Mono<Void> portions() {
        return Mono.defer(directory::renewWords)
                .as(tx::transactional)
                .repeat()
                .takeUntil(renewed -> renewed == 0)
                .then();
    }
}
