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

/** A user's push rules at auth-service, which keeps all account data and tells sync of what is set. */
@Component
class AccountDataClient {
    private final ServiceClient services;

    AccountDataClient(ServiceClient services) {
        this.services = services;
    }

    /**
     * The content of {@code m.push_rules} as somebody read it.
     *
     * @param pos where in the user log it was set
     */
    record StoredContent(JsonNode content, long pos) {}

    /** Empty if the user never changed a rule. */
    Mono<StoredContent> pushRules(TenantId tenant, UserId user) {
        String path = path(user) + "/%s?tenant=%d".formatted(AccountDataTypes.PUSH_RULES, tenant.value());
        return services.get("auth-service", user.value(), path, Current.class)
                .mapNotNull(
                        current -> current.content == null ? null : new StoredContent(current.content, current.pos));
    }

    /**
     * Sets it, unless it was set since it was read: that is refused with 409.
     *
     * @param readAt the position of what was read, or 0 for nothing
     */
    Mono<Void> set(TenantId tenant, UserId user, Object content, long readAt) {
        var wanted = new WriteRequest(tenant, AccountDataTypes.PUSH_RULES, content, readAt);
        return services.post("auth-service", user.value(), path(user), wanted, JsonNode.class)
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
