// SPDX-License-Identifier: Apache-2.0
package rookery.room.report;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Deletes reports closed longer than {@code keepClosedFor} ago, in portions. Several instances may do so at once. */
@Component
class ReportSweeper {
    private static final Logger log = LoggerFactory.getLogger(ReportSweeper.class);

    private final Reports reports;

    ReportSweeper(Reports reports) {
        this.reports = reports;
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "${rookery.room.report.interval:PT1H}")
    Mono<Void> sweep() {
        return Mono.defer(reports::expire)
                .repeat()
                .takeWhile(rows -> rows > 0)
                .then()
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.toString())
                        .log("closed reports stay until the next try"))
                .onErrorComplete();
    }
}
