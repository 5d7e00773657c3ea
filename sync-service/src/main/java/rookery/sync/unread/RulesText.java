package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;

/**
 * The content of a user's {@code m.push_rules}, held so that those who never set any share one text: the default rules differ
 * only where they name the user.
 *
 * @param template JSON, in which {@link #NAME} stands for the user's id
 */
public record RulesText(UserId user, String template) {
    /** No text of JSON has this outside of what stands for it. */
    private static final String NAME = "\0";

    /** As push-service tells them; the text of another user, if there is one, is shared where it says the same. */
    public static RulesText told(UserId user, String json, @Nullable RulesText other) {
        String template = json.replace(quoted(user), NAME);
        return new RulesText(user, other != null && template.equals(other.template) ? other.template : template);
    }

    /** The same for somebody else. */
    public RulesText of(UserId other) {
        return new RulesText(other, template);
    }

    /** Whether the user has changed none of them. */
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
