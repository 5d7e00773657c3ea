// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.TenantUser;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Reads a user's push rules, default and own, from push-service. After a failure, all calls fail at once for a short pause. */
@Component
class PushRulesClient {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ServiceClient services;
    private volatile long awayUntilNanos = System.nanoTime();

    PushRulesClient(ServiceClient services) {
        this.services = services;
    }

    /** The content of {@code m.push_rules} as JSON. */
    Mono<String> of(TenantUser user) {
        return Mono.defer(() -> awayUntilNanos - System.nanoTime() > 0
                ? Mono.error(ApiException.unavailable("push-service is not available"))
                : fetch(user));
    }

    /** A failure for one user does not start a pause for others. */
    private static boolean isAway(Throwable failure) {
        return !(failure instanceof ApiException refusal) || refusal.status == 503;
    }

    private Mono<String> fetch(TenantUser user) {
        String id = user.user().value();
        String path = "/internal/push-rules?tenant=" + user.tenant().value() + "&user="
                + UriUtils.encode(id, StandardCharsets.UTF_8);
        return services.get("push-service", id, path, JsonNode.class)
                .map(JsonNode::toString)
                .timeout(PATIENCE)
                .doOnError(PushRulesClient::isAway, _ -> awayUntilNanos = System.nanoTime() + PAUSE.toNanos());
    }
}
