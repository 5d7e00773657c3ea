// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;

/** Writes an audit record for each action of an administrator. Without the record, the action is not run. */
@Component
public class Audit {
    private static final Logger log = LoggerFactory.getLogger(Audit.class);
    private static final int OK = 200;
    private static final int FAILED = 500;

    private final AuditRecords records;
    private final RandomGenerator random;

    Audit(AuditRecords records, RandomGenerator random) {
        this.records = records;
        this.random = random;
    }

    /** Inserts the record, runs the action, then writes the action's HTTP status to the record. */
    public <T> Mono<T> recorded(Caller caller, String action, String target, Mono<T> act) {
        var id = new UUID(random.nextLong(), random.nextLong());
        var closing = act.flatMap(result -> closed(id, caller, OK).thenReturn(result))
                .onErrorResume(failure -> closed(id, caller, status(failure)).then(Mono.error(failure)));
        return records.insert(id, caller, action, target).then(closing);
    }

    /** Does the same for an answer that is streamed. */
    public <T> Flux<T> recorded(Caller caller, String action, String target, Flux<T> answer) {
        var id = new UUID(random.nextLong(), random.nextLong());
        var closing = answer.concatWith(Mono.defer(() -> closed(id, caller, OK).then(Mono.empty())))
                .onErrorResume(failure -> closed(id, caller, status(failure)).thenMany(Flux.error(failure)));
        return records.insert(id, caller, action, target).thenMany(closing);
    }

    /** The action is complete by now: a failure to write its status must not make the action look failed. */
    private Mono<Void> closed(UUID id, Caller caller, int status) {
        return records.close(id, caller.tenant(), status).onErrorResume(failure -> {
            log.atWarn()
                    .addKeyValue("record", id)
                    .addKeyValue("cause", String.valueOf(failure.getMessage()))
                    .log("the status of an audit record could not be written");
            return Mono.empty();
        });
    }

    private static int status(Throwable failure) {
        return failure instanceof ApiException refusal ? refusal.status : FAILED;
    }
}
