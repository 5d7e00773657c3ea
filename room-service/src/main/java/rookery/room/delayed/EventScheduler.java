// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.platform.tenant.Tenants;
import rookery.room.delayed.ScheduledEvents.Usage;
import rookery.room.event.EventDrafts;
import rookery.room.transaction.TransactionKey;
import rookery.room.transaction.Transactions;

/** Schedules events, once for each transaction id, within the limits of a user (contract.md 8.5). */
@Component
class EventScheduler {
    /** The proposal's name of the errors that the specification does not have yet. */
    private static final String ERRCODE = "org.matrix.msc4140.errcode";

    private static final int ID_BYTES = 32;
    /** Finished events of a user; older ones are deleted. */
    private static final int FINISHED_MAX = 100;

    private final ScheduledEvents events;
    private final Transactions transactions;
    private final TransactionalOperator tx;
    private final Tenants tenants;
    private final DelayedEventProperties properties;
    private final RandomGenerator random;
    private final Clock clock;

    EventScheduler(
            ScheduledEvents events,
            Transactions transactions,
            TransactionalOperator tx,
            Tenants tenants,
            DelayedEventProperties properties,
            RandomGenerator random,
            Clock clock) {
        this.events = events;
        this.transactions = transactions;
        this.tx = tx;
        this.tenants = tenants;
        this.properties = properties;
        this.random = random;
        this.clock = clock;
    }

    /** Returns the delay id; a repeated request gets that of the first one. */
    Mono<String> schedule(ScheduleRequest request) {
        return Mono.defer(() -> {
            var caller = request.caller();
            if (caller.isSuspended()) {
                throw ApiException.suspended();
            }
            requireOffered(caller.tenant());
            requireDelay(request.delayMillis());
            EventDrafts.requireValid(caller, request.room(), request.type(), request.stateKey(), request.content());
            var user = new TenantUser(caller.tenant(), caller.user());
            return events.usage(user)
                    .flatMap(usage -> earlier(request).switchIfEmpty(Mono.defer(() -> insert(request, user, usage))))
                    .as(tx::transactional);
        });
    }

    private void requireOffered(TenantId tenant) {
        if (!tenants.hasDelayedEvents(tenant)) {
            throw refusal(
                    "this server sends no events later: send the event without a delay", "M_MAX_DELAY_UNSUPPORTED");
        }
    }

    private void requireDelay(long delayMillis) {
        if (delayMillis < 1) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the delay is a number of milliseconds above 0");
        }
        long max = properties.delayMax().toMillis();
        if (delayMillis > max) {
            throw refusal("the delay is at most " + max + " milliseconds", "M_MAX_DELAY_EXCEEDED")
                    .with("org.matrix.msc4140.max_delay", max)
                    .with("max_delay", max);
        }
    }

    private static ApiException refusal(String reason, String errcode) {
        return new ApiException(ErrorCode.M_UNKNOWN, reason).withStatus(400).with(ERRCODE, errcode);
    }

    private Mono<String> earlier(ScheduleRequest request) {
        var txn = request.txn();
        return txn == null
                ? Mono.empty()
                : transactions
                        .find(List.of(txn))
                        .mapNotNull(answers -> answers.get(txn))
                        .map(id -> id.value().substring(1));
    }

    private Mono<String> insert(ScheduleRequest request, TenantUser user, Usage usage) {
        requireRoom(request, usage);
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String delayId = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Map<TransactionKey, EventId> answer =
                request.txn() == null ? Map.of() : Map.of(request.txn(), new EventId("$" + delayId));
        return events.insert(request, delayId)
                .then(Mono.defer(() -> transactions.insert(answer, clock.millis())))
                .then(Mono.defer(() -> events.trim(user, FINISHED_MAX)))
                .thenReturn(delayId);
    }

    private void requireRoom(ScheduleRequest request, Usage usage) {
        boolean isFull = usage.events() >= properties.ofUserMax()
                || usage.bytes() + request.contentText().length()
                        > properties.ofUserBytesMax().toBytes();
        if (isFull) {
            long seconds = Math.max(1, Math.ceilDiv(usage.nextInMillis(), 1_000));
            throw new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many events of yours are scheduled")
                    .with(ERRCODE, "M_MAX_DELAYED_EVENTS_EXCEEDED")
                    .with("retry_after_ms", seconds * 1_000)
                    .withRetryAfter((int) seconds);
        }
    }
}
