// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/**
 * Waits until push rules and ignore lists are in force (contract.md 12.1). Push-service and sync-service follow the user log and
 * the room log side by side. Without the wait, a message sent right after the answer could overtake the change. A service that is
 * down evaluates no events meanwhile and is not waited for.
 */
@Component
class SettingsInForce {
    private static final Logger log = LoggerFactory.getLogger(SettingsInForce.class);
    private static final Set<String> TYPES = Set.of(AccountDataTypes.PUSH_RULES, AccountDataTypes.IGNORED_USERS);
    private static final List<String> EVALUATORS = List.of("push-service", "sync-service");
    private static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private final ServiceClient services;

    SettingsInForce(ServiceClient services) {
        this.services = services;
    }

    /** Completes at once for all other account data, and after a few seconds at the latest. */
    Mono<Void> since(DataKey key, long pos) {
        return key.room() == null && TYPES.contains(key.type())
                ? Flux.fromIterable(EVALUATORS)
                        .flatMap(service -> reached(service, new LogPosition(key.user(), pos)))
                        .then()
                : Mono.empty();
    }

    private Mono<Void> reached(String service, LogPosition position) {
        return services.post(service, position.user.value(), "/internal/user-log/reached", position, JsonNode.class)
                .timeout(WAIT_MAX)
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("service", service)
                        .addKeyValue("cause", String.valueOf(failure.getMessage()))
                        .log("push rules or an ignore list may come into force after their answer"))
                .onErrorComplete()
                .then();
    }

    /** A position in the user's shard of the user log. */
    record LogPosition(UserId user, long pos) {}
}
