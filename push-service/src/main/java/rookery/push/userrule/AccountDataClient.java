// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Client of auth-service for a user's push rules, which are account data and reach sync from there. */
@Component
class AccountDataClient {
    private final ServiceClient services;

    AccountDataClient(ServiceClient services) {
        this.services = services;
    }

    /** The content of {@code m.push_rules} and its position in the user log. */
    record StoredContent(JsonNode content, long pos) {}

    /** Empty if the user never changed a rule. */
    Mono<StoredContent> pushRules(TenantId tenant, UserId user) {
        String path = path(user) + "/%s?tenant=%d".formatted(AccountDataTypes.PUSH_RULES, tenant.value());
        return services.get("auth-service", user.value(), path, Current.class)
                .mapNotNull(
                        current -> current.content == null ? null : new StoredContent(current.content, current.pos));
    }

    /** Sets the content; 409 if the content has changed since the position {@code readAt}, which is 0 for no content. */
    Mono<Void> set(TenantId tenant, UserId user, Object content, long readAt) {
        var request = new WriteRequest(tenant, AccountDataTypes.PUSH_RULES, content, readAt);
        return services.post("auth-service", user.value(), path(user), request, JsonNode.class)
                .then();
    }

    private static String path(UserId user) {
        return "/internal/users/" + UriUtils.encode(user.value(), StandardCharsets.UTF_8) + "/account-data";
    }

    record Current(@Nullable JsonNode content, long pos) {}

    record WriteRequest(
            TenantId tenant,
            String type,
            Object content,
            @JsonProperty("read_at") long readAt) {}
}
