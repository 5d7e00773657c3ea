// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.json.JsonText;
import tools.jackson.databind.JsonNode;

/** Reads a user's push rules in force from push-service: the default rules with the user's changes. */
@Component
class PushRulesClient {
    private final ServiceClient services;

    PushRulesClient(ServiceClient services) {
        this.services = services;
    }

    /** The content of {@code m.push_rules}. */
    Mono<JsonText> of(TenantId tenant, UserId user) {
        String path = "/internal/push-rules?tenant=%d&user=%s"
                .formatted(tenant.value(), UriUtils.encode(user.value(), StandardCharsets.UTF_8));
        return services.get("push-service", user.value(), path, JsonNode.class)
                .map(rules -> new JsonText(rules.toString()));
    }
}
