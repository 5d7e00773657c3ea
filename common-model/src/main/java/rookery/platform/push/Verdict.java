// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;

/**
 * The result of the evaluation of an event (contract.md 12.5).
 *
 * @param notifies whether the event counts and is pushed
 * @param highlights whether the event counts as a highlight too
 * @param coalesces whether its push may replace an unsent push
 * @param actions the actions of the rule, unchanged
 * @param rule the matching rule, or null
 */
public record Verdict(
        boolean notifies,
        boolean highlights,
        boolean coalesces,
        List<Object> actions,
        @Nullable RuleId rule) {
    public static final Verdict NONE = new Verdict(false, false, false, List.of(), null);

    static Verdict of(PushRule rule) {
        var actions = rule.actions();
        boolean coalesces = actions.contains("coalesce");
        boolean notifies = (coalesces || actions.contains("notify")) && !actions.contains("dont_notify");
        boolean highlights = false;
        for (var action : actions) {
            if (action instanceof Map<?, ?> tweak && "highlight".equals(tweak.get("set_tweak"))) {
                var value = tweak.get("value");
                highlights = value == null || Boolean.TRUE.equals(value); // the last one counts, as in any JSON object
            }
        }
        return new Verdict(notifies, notifies && highlights, notifies && coalesces, actions, rule.ruleId());
    }
}
