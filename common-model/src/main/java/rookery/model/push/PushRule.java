// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One push rule in the form that clients see (contract.md 12.1). Actions and conditions are stored as sent: an unknown action or
 * condition is served again and never matches.
 *
 * @param isDefault whether the rule is a default rule, even with changed actions or turned off
 * @param actions strings and objects (12.5); an empty list is no notification
 * @param conditions objects (12.4), all of which must match; null for kinds without conditions
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
    /** Reads absent actions of stored rules as an empty list. */
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

    public PushRule enabled(boolean on) {
        return new PushRule(ruleId, isDefault, on, actions, conditions, pattern);
    }

    public PushRule acting(List<Object> otherwise) {
        return new PushRule(ruleId, isDefault, enabled, otherwise, conditions, pattern);
    }
}
