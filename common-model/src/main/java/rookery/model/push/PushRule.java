package rookery.model.push;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One push rule as clients see it (contract.md 12.1). Actions and conditions are kept as they were sent: what this release does
 * not understand is served again, and never matches.
 *
 * @param isDefault whether everybody has the rule; it stays so when its owner changes the actions or turns it off
 * @param actions strings and objects (12.5); none: no notification
 * @param conditions objects (12.4), all of which must match; null for kinds that have none
 * @param pattern only of content rules
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PushRule(
        @JsonProperty("rule_id") RuleId ruleId,
        @JsonProperty("default") boolean isDefault,
        boolean enabled,
        List<Object> actions,
        @Nullable List<Map<String, Object>> conditions,
        @Nullable String pattern) {
    /** Actions that are absent from stored rules are none. */
    public PushRule(
            @JsonProperty("rule_id") RuleId ruleId,
            @JsonProperty("default") boolean isDefault,
            @JsonProperty("enabled") boolean enabled,
            @JsonProperty("actions") @Nullable List<Object> actions,
            @JsonProperty("conditions") @Nullable List<Map<String, Object>> conditions,
            @JsonProperty("pattern") @Nullable String pattern) {
        this.ruleId = ruleId;
        this.isDefault = isDefault;
        this.enabled = enabled;
        this.actions = actions == null ? List.of() : actions;
        this.conditions = conditions;
        this.pattern = pattern;
    }

    /** The same rule, turned on or off. */
    public PushRule enabled(boolean on) {
        return new PushRule(ruleId, isDefault, on, actions, conditions, pattern);
    }

    /** The same rule, acting otherwise. */
    public PushRule acting(List<Object> otherwise) {
        return new PushRule(ruleId, isDefault, enabled, otherwise, conditions, pattern);
    }
}
