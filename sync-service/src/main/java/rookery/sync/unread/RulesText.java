// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;

/** A user's {@code m.push_rules}; {@link #NAME} replaces the user's id, so that default rules share one template. */
public record RulesText(UserId user, String template) {
    /** Never part of valid JSON. */
    private static final String NAME = "\0";

    /** Rules from push-service; shares the template of {@code other} if equal. */
    public static RulesText ofPushService(UserId user, String json, @Nullable RulesText other) {
        String template = json.replace(quoted(user), NAME);
        return new RulesText(user, other != null && template.equals(other.template) ? other.template : template);
    }

    /** The same rules for another user. */
    public RulesText of(UserId other) {
        return new RulesText(other, template);
    }

    /** Whether the user has default rules only. */
    public boolean isDefault() {
        return Rules.read(user, this).equals(DefaultRules.of(user));
    }

    public String json() {
        return template.replace(NAME, quoted(user));
    }

    private static String quoted(UserId user) {
        return '"' + user.value() + '"';
    }
}
