// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import com.fasterxml.jackson.annotation.JsonValue;

/** A push rule's id within its kind, such as {@code .m.rule.master}; default rules begin with a dot. */
public record RuleId(@JsonValue String value) {
    /** Whether the id has the form of a default rule. */
    public boolean isOfDefault() {
        return value.startsWith(".");
    }
}
