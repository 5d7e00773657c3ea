// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;

/**
 * The changes of push rules that clients may request (contract.md 12.1), each a function on the whole rule set that may throw
 * a refusal.
 */
final class RuleChanges {
    private static final int OWN_MAX = 1000;

    private RuleChanges() {}

    /**
     * The requested position of a rule: directly above the rule {@code before}, otherwise directly below the rule {@code after}.
     */
    record RulePosition(@Nullable RuleId before, @Nullable RuleId after) {}

    /**
     * Creates or replaces a rule. Without a place, a new rule becomes the first of the user's rules of its kind, and an existing
     * rule keeps its position.
     *
     * @param enabled null keeps the present value
     */
    static UnaryOperator<RuleSet> put(RuleKind kind, PushRule rule, @Nullable Boolean enabled, RulePosition position) {
        return rules -> {
            var existing = rules.find(kind, rule.ruleId()).orElse(null);
            if (existing == null && rules.own() >= OWN_MAX) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "nobody has more than " + OWN_MAX + " push rules");
            }
            var changed = existing != null && enabled == null ? rule.enabled(existing.enabled()) : rule;
            return rules.with(kind, placed(rules.of(kind), changed, existing, position));
        };
    }

    private static List<PushRule> placed(
            List<PushRule> rules, PushRule rule, @Nullable PushRule existing, RulePosition position) {
        var others = new ArrayList<>(rules);
        int before = existing == null ? 0 : others.indexOf(existing);
        if (existing != null) {
            others.remove(existing);
        }
        var anchor = position.before == null ? position.after : position.before;
        if (anchor == null || (existing != null && anchor.equals(rule.ruleId()))) {
            others.add(before, rule);
        } else {
            others.add(indexOf(others, anchor) + (position.before == null ? 1 : 0), rule);
        }
        return others;
    }

    private static int indexOf(List<PushRule> rules, RuleId id) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).ruleId().equals(id) && !id.isOfDefault()) {
                return i;
            }
        }
        throw new ApiException(ErrorCode.M_UNKNOWN, "there is no such rule of yours to stand before or after")
                .withStatus(400);
    }

    /** Deletes a rule; M_NOT_FOUND for an unknown rule, M_INVALID_PARAM for a default rule. */
    static UnaryOperator<RuleSet> deleted(RuleKind kind, RuleId id) {
        return rules -> {
            var rule = required(rules, kind, id);
            if (rule.isDefault()) {
                throw new ApiException(
                        ErrorCode.M_INVALID_PARAM, "default rules cannot be deleted, but they can be turned off");
            }
            var others = new ArrayList<>(rules.of(kind));
            others.remove(rule);
            return rules.with(kind, others);
        };
    }

    /** Changes a rule, possibly a default rule, at its position. M_NOT_FOUND for an unknown rule. */
    static UnaryOperator<RuleSet> changed(RuleKind kind, RuleId id, UnaryOperator<PushRule> change) {
        return rules -> {
            var rule = required(rules, kind, id);
            var all = new ArrayList<>(rules.of(kind));
            all.set(all.indexOf(rule), change.apply(rule));
            return rules.with(kind, all);
        };
    }

    private static PushRule required(RuleSet rules, RuleKind kind, RuleId id) {
        return rules.find(kind, id).orElseThrow(PushRulesApi::notFound);
    }
}
