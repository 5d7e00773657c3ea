package rookery.push.rule;

import com.fasterxml.jackson.annotation.JsonValue;

/** A push rule's id within its kind, such as {@code .m.rule.master}; a leading dot marks the rules that everybody has. */
public record RuleId(@JsonValue String value) {
    boolean isOfDefault() {
        return value.startsWith(".");
    }
}
