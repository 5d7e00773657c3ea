// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import rookery.push.userrule.AccountDataClient.StoredContent;
import rookery.push.userrule.PushRulesApi.RulesAnswer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads and changes a user's push rules. */
@Component
class UserRules {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** Limit of the whole content, slightly below the limit of auth-service. */
    private static final int BYTES_MAX = 500 << 10;

    private static final int CONFLICT = 409;
    private static final Retry WHEN_OVERTAKEN = Retry.backoff(40, Duration.ofMillis(5))
            .maxBackoff(Duration.ofMillis(200))
            .jitter(0.9)
            .filter(failure -> failure instanceof ApiException refusal && refusal.status == CONFLICT)
            .onRetryExhaustedThrow((_, _) -> ApiException.unavailable("these rules are being changed, try again"));

    private final AccountDataClient accountData;
    private final Turns<TenantUser> turns = new Turns<>();

    UserRules(AccountDataClient accountData) {
        this.accountData = accountData;
    }

    /** All rules, including the default rules. */
    Mono<RuleSet> of(TenantId tenant, UserId user) {
        return read(tenant, user).map(RulesAtPosition::rules);
    }

    /**
     * Changes the rules. After a concurrent change, the rules are read again and the change is repeated. If the change has no
     * effect, nothing is written.
     *
     * @param change a pure function; throws the refusal
     */
    Mono<Void> change(TenantId tenant, UserId user, UnaryOperator<RuleSet> change) {
        var changed = Mono.defer(() -> read(tenant, user))
                .flatMap(read -> write(tenant, user, read, change))
                .retryWhen(WHEN_OVERTAKEN);
        return turns.inTurn(new TenantUser(tenant, user), changed);
    }

    private Mono<Void> write(TenantId tenant, UserId user, RulesAtPosition read, UnaryOperator<RuleSet> change) {
        var changed = DefaultRules.of(user).with(change.apply(read.rules));
        if (changed.equals(read.rules)) {
            return Mono.empty();
        }
        var content = new RulesAnswer(changed);
        if (JSON.writeValueAsBytes(content).length > BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "all push rules have at most " + BYTES_MAX + " bytes");
        }
        return accountData.set(tenant, user, content, read.pos);
    }

    private Mono<RulesAtPosition> read(TenantId tenant, UserId user) {
        var defaults = DefaultRules.of(user);
        return accountData
                .pushRules(tenant, user)
                .map(stored -> RulesAtPosition.of(defaults, stored))
                .defaultIfEmpty(new RulesAtPosition(defaults, 0));
    }

    private record RulesAtPosition(RuleSet rules, long pos) {
        static RulesAtPosition of(RuleSet defaults, StoredContent stored) {
            return new RulesAtPosition(defaults.with(rules(stored.content())), stored.pos());
        }

        private static RuleSet rules(JsonNode content) {
            var global = content.get("global");
            return global == null ? RuleSet.NONE : JSON.treeToValue(global, RuleSet.class);
        }
    }
}
