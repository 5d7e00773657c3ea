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
import rookery.model.id.TenantId;

/** Writes an audit record for each action of an administrator or operator. Without the record, the action is not run. */
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
        return opened(Actor.of(caller), action, target)
                .flatMap(open -> act.flatMap(result -> closed(open, OK).thenReturn(result))
                        .onErrorResume(failure -> failed(open, failure).then(Mono.error(failure))));
    }

    /** Does the same for an answer that is streamed. */
    public <T> Flux<T> recorded(Caller caller, String action, String target, Flux<T> answer) {
        return opened(Actor.of(caller), action, target)
                .flatMapMany(open -> answer.concatWith(
                                Mono.defer(() -> closed(open, OK).then(Mono.empty())))
                        .onErrorResume(failure -> failed(open, failure).thenMany(Flux.error(failure))));
    }

    /** A record without the status of its action; a record that stays so is of an action with an unknown end. */
    public record OpenRecord(UUID id, TenantId tenant, String target) {
        /** The record of an action whose target became known later. */
        public OpenRecord about(String other) {
            return new OpenRecord(id, tenant, other);
        }
    }

    /** Inserts a record; the caller runs the action afterwards and closes the record. */
    public Mono<OpenRecord> opened(Actor actor, String action, String target) {
        return Mono.defer(() -> {
            var id = new UUID(random.nextLong(), random.nextLong());
            var text = target.replace('\0', '\uFFFD'); // the database has no U+0000, and paths of requests may
            return records.insert(id, actor, action, text).thenReturn(new OpenRecord(id, actor.tenant(), text));
        });
    }

    /** The action is complete by now: a failure to write its status must not make the action look failed. */
    public Mono<Void> closed(OpenRecord open, int status) {
        return records.close(open, status).onErrorResume(failure -> {
            log.atWarn()
                    .addKeyValue("record", open.id)
                    .addKeyValue("cause", String.valueOf(failure.getMessage()))
                    .log("the status of an audit record could not be written");
            return Mono.empty();
        });
    }

    /** Closes the record of an action that failed. */
    public Mono<Void> failed(OpenRecord open, Throwable failure) {
        return closed(open, status(failure));
    }

    private static int status(Throwable failure) {
        return failure instanceof ApiException refusal ? refusal.status : FAILED;
    }
}
