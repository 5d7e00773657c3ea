// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.push.gateway.GatewayAnswer;
import rookery.push.gateway.GatewayAnswer.Refused;
import rookery.push.gateway.GatewayAnswer.Taken;
import rookery.push.gateway.GatewayAnswer.Unreachable;
import rookery.push.gateway.GatewayUrls;
import rookery.push.gateway.PushGateway;
import rookery.push.pusher.Pushers;

/** Sends one push and records the outcome (contract.md 12.7). */
@Component
class Attempts {
    private static final Logger log = LoggerFactory.getLogger(Attempts.class);
    private static final Retry NOTING =
            Retry.backoff(3, Duration.ofMillis(200)).onRetryExhaustedThrow((_, last) -> last.failure());

    private final UnitQueue queue;
    private final PushGateway gateway;
    private final GatewayUrls urls;
    private final Pushers pushers;
    private final DeliveryMeters meters;

    Attempts(UnitQueue queue, PushGateway gateway, GatewayUrls urls, Pushers pushers, DeliveryMeters meters) {
        this.queue = queue;
        this.gateway = gateway;
        this.urls = urls;
        this.pushers = pushers;
        this.meters = meters;
    }

    /**
     * Whether the gateway accepted the push; empty if no request was needed. Never fails: if the outcome cannot be recorded, the
     * push may be sent again.
     *
     * @param unread the user's badge count; null if unknown
     */
    Mono<Boolean> make(DueUnit unit, @Nullable Integer unread) {
        var target = unit.target();
        var content = unit.content();
        if (target == null || content == null) {
            meters.ended(Outcome.SUPERSEDED);
            return queue.drop(unit)
                    .then(target == null ? queue.dropOfPusher(unit) : Mono.empty())
                    .onErrorResume(Attempts::notNoted)
                    .then(Mono.empty());
        }
        return Mono.fromSupplier(() -> Notification.of(unit, target, content, unread))
                .flatMap(json -> post(unit.tenant(), target, json))
                .flatMap(answer -> noted(unit, target, answer).thenReturn(answer instanceof Taken));
    }

    /** Sends a changed badge count once, without retry. */
    Mono<Boolean> makeBadge(BadgeTarget badgeTarget, int unread) {
        var target = badgeTarget.target();
        return post(badgeTarget.lane().tenant(), target, Notification.ofBadge(target, unread))
                .flatMap(answer -> (isRejected(target, answer) ? remove(badgeTarget) : Mono.<Void>empty())
                        .onErrorResume(Attempts::notNoted)
                        .thenReturn(answer instanceof Taken));
    }

    private Mono<Void> remove(BadgeTarget badgeTarget) {
        return pushers.rejected(
                badgeTarget.lane().tenant(),
                badgeTarget.user(),
                badgeTarget.target().pusher());
    }

    private Mono<GatewayAnswer> post(TenantId tenant, Target target, byte[] json) {
        try {
            // settings may have become stricter since the pusher was set
            return meters.timed(gateway.post(urls.checked(tenant, target.url()), json));
        } catch (ApiException e) {
            return Mono.just(new Unreachable("forbidden"));
        }
    }

    private Mono<Void> noted(DueUnit unit, Target target, GatewayAnswer answer) {
        var outcome = outcome(unit, target, answer);
        meters.ended(outcome);
        var noting = queue.note(unit, target, outcome, status(answer), answer instanceof Taken)
                .then(outcome == Outcome.REJECTED ? rejected(unit, target) : Mono.empty());
        return noting.retryWhen(NOTING).onErrorResume(Attempts::notNoted);
    }

    private Mono<Void> rejected(DueUnit unit, Target target) {
        return pushers.rejected(unit.tenant(), unit.user(), target.pusher()).then(queue.dropOfPusher(unit));
    }

    private static Outcome outcome(DueUnit unit, Target target, GatewayAnswer answer) {
        if (isRejected(target, answer)) {
            return Outcome.REJECTED;
        }
        if (answer instanceof Taken) {
            return Outcome.DELIVERED;
        }
        return unit.attempt() < UnitQueue.ATTEMPTS_MAX ? Outcome.PENDING : Outcome.FAILED;
    }

    private static boolean isRejected(Target target, GatewayAnswer answer) {
        return answer instanceof Taken taken && taken.rejected().contains(target.pushkey());
    }

    private static @Nullable Integer status(GatewayAnswer answer) {
        return switch (answer) {
            case Taken taken -> taken.status();
            case Refused refused -> refused.status();
            case Unreachable _ -> null;
        };
    }

    private static Mono<Void> notNoted(Throwable failure) {
        log.atWarn()
                .addKeyValue("cause", failure.toString())
                .log("the outcome of a push could not be recorded, the push may be sent again");
        return Mono.empty();
    }
}
