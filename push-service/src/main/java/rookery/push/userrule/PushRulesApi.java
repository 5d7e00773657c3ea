// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;

/** The endpoints that read a user's push rules (contract.md 12.1). */
@RestController
class PushRulesApi {
    private static final String RULES = "/_api/client/v3/pushrules";
    static final String RULE = RULES + "/{scope}/{kind}/{ruleId}";
    static final String GLOBAL = "global";

    private final UserRules rules;

    PushRulesApi(UserRules rules) {
        this.rules = rules;
    }

    @GetMapping({RULES, RULES + "/"})
    Mono<RulesAnswer> all(Caller caller) {
        return global(caller).map(RulesAnswer::new);
    }

    @GetMapping({RULES + "/" + GLOBAL, RULES + "/" + GLOBAL + "/"})
    Mono<RuleSet> global(Caller caller) {
        return rules.of(caller.tenant(), caller.user());
    }

    /** 404 for a scope other than {@code global}, an unknown kind, and an unknown rule. */
    @GetMapping(RULE)
    Mono<PushRule> rule(
            @PathVariable String scope, @PathVariable String kind, @PathVariable RuleId ruleId, Caller caller) {
        var ruleKind = existing(scope, kind);
        return global(caller)
                .mapNotNull(all -> all.find(ruleKind, ruleId).orElse(null))
                .switchIfEmpty(Mono.error(PushRulesApi::notFound));
    }

    @GetMapping(RULE + "/actions")
    Mono<Actions> actions(
            @PathVariable String scope, @PathVariable String kind, @PathVariable RuleId ruleId, Caller caller) {
        return rule(scope, kind, ruleId, caller).map(rule -> new Actions(rule.actions()));
    }

    @GetMapping(RULE + "/enabled")
    Mono<EnabledBody> enabled(
            @PathVariable String scope, @PathVariable String kind, @PathVariable RuleId ruleId, Caller caller) {
        return rule(scope, kind, ruleId, caller).map(rule -> new EnabledBody(rule.enabled()));
    }

    /** M_NOT_FOUND for an unknown scope or kind. */
    static RuleKind existing(String scope, String kind) {
        return RuleKind.of(kind).filter(_ -> scope.equals(GLOBAL)).orElseThrow(PushRulesApi::notFound);
    }

    static ApiException notFound() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such push rule");
    }

    /** Also the content of {@code m.push_rules}. */
    record RulesAnswer(RuleSet global) {}

    record Actions(List<Object> actions) {}

    record EnabledBody(boolean enabled) {}
}
