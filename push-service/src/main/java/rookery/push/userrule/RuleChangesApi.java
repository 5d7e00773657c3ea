// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;
import rookery.platform.http.JsonBody;
import rookery.push.userrule.RuleChanges.RulePosition;

/** The endpoints that change push rules (contract.md 12.1). A change is account data and thus reaches {@code /sync}. */
@RestController
class RuleChangesApi {
    private final UserRules rules;

    RuleChangesApi(UserRules rules) {
        this.rules = rules;
    }

    /** {@code before} and {@code after} are ids of the user's rules; M_UNKNOWN for other ids. */
    @PutMapping(PushRulesApi.RULE)
    Mono<Map<String, Object>> put(
            @PathVariable String scope,
            @PathVariable String kind,
            @PathVariable RuleId ruleId,
            @RequestParam(required = false) @Nullable RuleId before,
            @RequestParam(required = false) @Nullable RuleId after,
            JsonBody body,
            Caller caller) {
        var ruleKind = settable(scope, kind);
        var rule = RuleReader.rule(ruleKind, ruleId, body);
        return done(caller, RuleChanges.put(ruleKind, rule, RuleReader.enabled(body), new RulePosition(before, after)));
    }

    @PutMapping(PushRulesApi.RULE + "/actions")
    Mono<Map<String, Object>> setActions(
            @PathVariable String scope,
            @PathVariable String kind,
            @PathVariable RuleId ruleId,
            JsonBody body,
            Caller caller) {
        var ruleKind = settable(scope, kind);
        var actions = RuleReader.actions(body);
        return done(caller, RuleChanges.changed(ruleKind, ruleId, rule -> rule.acting(actions)));
    }

    @PutMapping(PushRulesApi.RULE + "/enabled")
    Mono<Map<String, Object>> setEnabled(
            @PathVariable String scope,
            @PathVariable String kind,
            @PathVariable RuleId ruleId,
            JsonBody body,
            Caller caller) {
        var ruleKind = settable(scope, kind);
        boolean on = body.bool("enabled");
        return done(caller, RuleChanges.changed(ruleKind, ruleId, rule -> rule.enabled(on)));
    }

    @DeleteMapping(PushRulesApi.RULE)
    Mono<Map<String, Object>> delete(
            @PathVariable String scope, @PathVariable String kind, @PathVariable RuleId ruleId, Caller caller) {
        return done(caller, RuleChanges.deleted(PushRulesApi.existing(scope, kind), ruleId));
    }

    private Mono<Map<String, Object>> done(Caller caller, UnaryOperator<RuleSet> change) {
        return rules.change(caller.tenant(), caller.user(), change).thenReturn(Map.of());
    }

    private static RuleKind settable(String scope, String kind) {
        if (!scope.equals(PushRulesApi.GLOBAL)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the scope of push rules is global");
        }
        return RuleKind.of(kind)
                .orElseThrow(() -> new ApiException(ErrorCode.M_INVALID_PARAM, "there is no such kind of push rules"));
    }
}
