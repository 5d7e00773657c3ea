package rookery.sync.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Asks push-service for a user's rules: the default ones, and what the user made of them. */
@Component
class PushRulesClient {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ServiceClient services;

    PushRulesClient(ServiceClient services) {
        this.services = services;
    }

    /** The content of {@code m.push_rules}, as text. */
    Mono<String> of(UserKey user) {
        String id = user.user().value();
        String path = "/internal/push-rules?tenant=" + user.tenant().value() + "&user="
                + UriUtils.encode(id, StandardCharsets.UTF_8);
        return services.get("push-service", id, path, JsonNode.class)
                .map(JsonNode::toString)
                .timeout(PATIENCE);
    }
}
