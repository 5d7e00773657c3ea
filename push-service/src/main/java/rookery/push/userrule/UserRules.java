package rookery.push.userrule;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts a user's rules together. */
@Component
class UserRules {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AccountDataClient accountData;

    UserRules(AccountDataClient accountData) {
        this.accountData = accountData;
    }

    Mono<RuleSet> of(TenantId tenant, UserId user) {
        return accountData
                .pushRules(tenant, user)
                .map(UserRules::stored)
                .defaultIfEmpty(RuleSet.NONE)
                .map(DefaultRules.of(user)::with);
    }

    private static RuleSet stored(JsonNode content) {
        var global = content.get("global");
        return global == null ? RuleSet.NONE : JSON.treeToValue(global, RuleSet.class);
    }
}
