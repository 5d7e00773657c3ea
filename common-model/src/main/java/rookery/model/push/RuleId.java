package rookery.model.push;

import com.fasterxml.jackson.annotation.JsonValue;

/** A push rule's id within its kind, such as {@code .m.rule.master}; a leading dot marks the rules that everybody has. */
public record RuleId(@JsonValue String value) {
    /** Whether it is an id such as only the server's own rules have. */
    public boolean isOfDefault() {
        return value.startsWith(".");
    }
}
