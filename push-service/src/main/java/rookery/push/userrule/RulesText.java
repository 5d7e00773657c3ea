package rookery.push.userrule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import rookery.platform.push.OwnRules;
import tools.jackson.databind.json.JsonMapper;

/** Reads the content of {@code m.push_rules}; what nobody can read leaves its owner with the default rules. */
public final class RulesText {
    private static final Logger log = LoggerFactory.getLogger(RulesText.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private RulesText() {}

    /**
     * The rules of a user: the default ones, and what the content makes of them.
     *
     * @param content empty for one who never changed a rule
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
