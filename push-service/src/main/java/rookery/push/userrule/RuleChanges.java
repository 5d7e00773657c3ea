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

/** What clients may do to their rules (contract.md 12.1), each a function from all rules to all rules, or a refusal. */
final class RuleChanges {
    private static final int OWN_MAX = 1000;

    private RuleChanges() {}

    /**
     * Where a rule goes.
     *
     * @param before the rule that it goes directly above; counts more than {@code after}
     * @param after the rule that it goes directly below
     */
    record Place(@Nullable RuleId before, @Nullable RuleId after) {}

    /**
     * Makes the rule, or another one of it. Without a place a new rule goes above the user's others of its kind, and one that is
     * there keeps its place.
     *
     * @param enabled whether it is on; null for as before
     */
    static UnaryOperator<RuleSet> put(RuleKind kind, PushRule rule, @Nullable Boolean enabled, Place place) {
        return rules -> {
            var there = rules.find(kind, rule.ruleId()).orElse(null);
            if (there == null && rules.own() >= OWN_MAX) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "nobody has more than " + OWN_MAX + " push rules");
            }
            var changed = there != null && enabled == null ? rule.enabled(there.enabled()) : rule;
            return rules.with(kind, placed(rules.of(kind), changed, there, place));
        };
    }

    private static List<PushRule> placed(List<PushRule> rules, PushRule rule, @Nullable PushRule there, Place place) {
        var others = new ArrayList<>(rules);
        int before = there == null ? 0 : others.indexOf(there);
        if (there != null) {
            others.remove(there);
        }
        var anchor = place.before == null ? place.after : place.before;
        if (anchor == null || (there != null && anchor.equals(rule.ruleId()))) {
            others.add(before, rule);
        } else {
            others.add(indexOf(others, anchor) + (place.before == null ? 1 : 0), rule);
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

    /** M_NOT_FOUND for what is not there, M_INVALID_PARAM for a default rule. */
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

    /** Changes one rule, which may be a default one, where it is. M_NOT_FOUND for what is not there. */
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
