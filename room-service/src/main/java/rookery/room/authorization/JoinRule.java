// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.Arrays;
import tools.jackson.databind.JsonNode;

/** The join rules of the specification. An unknown rule counts as {@link #PRIVATE}, which allows no joins. */
public enum JoinRule {
    PUBLIC("public"),
    INVITE("invite"),
    KNOCK("knock"),
    RESTRICTED("restricted"),
    KNOCK_RESTRICTED("knock_restricted"),
    PRIVATE("private");

    public final String word;

    JoinRule(String word) {
        this.word = word;
    }

    /** The rule in the content of {@code m.room.join_rules}; {@link #INVITE} without a text. */
    public static JoinRule of(JsonNode content) {
        var text = content.path("join_rule").stringValueOpt().orElse(INVITE.word);
        return Arrays.stream(values())
                .filter(rule -> rule.word.equals(text))
                .findFirst()
                .orElse(PRIVATE);
    }

    public boolean isRestricted() {
        return this == RESTRICTED || this == KNOCK_RESTRICTED;
    }

    public boolean allowsKnocks() {
        return this == KNOCK || this == KNOCK_RESTRICTED;
    }
}
