// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import rookery.platform.push.OwnRules;
import tools.jackson.databind.json.JsonMapper;

/** Parses the content of {@code m.push_rules}; unreadable content counts as default rules. */
public final class RulesText {
    private static final Logger log = LoggerFactory.getLogger(RulesText.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private RulesText() {}

    /**
     * The rules of a user: the default rules with the content's changes. The content is empty for a user who never changed
     * a rule.
     */
    public static OwnRules read(String content, UserId owner) {
        var defaults = DefaultRules.of(owner);
        return OwnRules.of(content.isEmpty() ? defaults : defaults.with(users(content)), owner);
    }

    private static RuleSet users(String content) {
        try {
            var global = JSON.readTree(content).get("global");
            return global == null ? RuleSet.NONE : JSON.treeToValue(global, RuleSet.class);
        } catch (RuntimeException e) {
            log.atError().addKeyValue("cause", e.getClass().getName()).log("push rules cannot be read");
            return RuleSet.NONE;
        }
    }
}
