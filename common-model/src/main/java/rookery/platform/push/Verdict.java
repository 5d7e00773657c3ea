package rookery.platform.push;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;

/**
 * What rules say about an event (contract.md 12.5).
 *
 * @param notifies whether the event counts, and is pushed
 * @param highlights whether it counts as a highlight too
 * @param coalesces whether its push may take the place of one that was not sent yet
 * @param actions of the rule, as they were set
 * @param rule the one that matched, or null for none
 */
public record Verdict(
        boolean notifies,
        boolean highlights,
        boolean coalesces,
        List<Object> actions,
        @Nullable RuleId rule) {
    /** No rule matched. */
    public static final Verdict NONE = new Verdict(false, false, false, List.of(), null);

    /** What happens when the rule matches. */
    static Verdict of(PushRule rule) {
        var actions = rule.actions();
        boolean coalesces = actions.contains("coalesce");
        boolean notifies = (coalesces || actions.contains("notify")) && !actions.contains("dont_notify");
        boolean highlights = false;
        for (var action : actions) {
            if (action instanceof Map<?, ?> tweak && "highlight".equals(tweak.get("set_tweak"))) {
                var value = tweak.get("value");
                highlights = value == null || Boolean.TRUE.equals(value); // the last one counts, as in any object
            }
        }
        return new Verdict(notifies, notifies && highlights, notifies && coalesces, actions, rule.ruleId());
    }
}
