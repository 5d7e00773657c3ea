package rookery.push.userrule;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Asks auth-service, which keeps all account data, for a user's push rules. */
@Component
class AccountDataClient {
    private final ServiceClient services;

    AccountDataClient(ServiceClient services) {
        this.services = services;
    }

    /** The content of {@code m.push_rules}; empty if the user never changed a rule. */
    Mono<JsonNode> pushRules(TenantId tenant, UserId user) {
        String path = "/internal/users/%s/account-data?tenant=%d&after=0"
                .formatted(UriUtils.encode(user.value(), StandardCharsets.UTF_8), tenant.value());
        return services.get("auth-service", user.value(), path, AccountData.class)
                .flatMapIterable(AccountData::events)
                .filter(event -> event.room == null && event.type.equals(AccountDataTypes.PUSH_RULES))
                .next()
                .map(Event::content);
    }

    record AccountData(List<Event> events) {}

    record Event(String type, @Nullable RoomId room, JsonNode content) {}
}
