// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** A user's membership of a room (contract.md 8.3); a user without a member event is {@link #LEAVE} too. */
public enum Membership {
    INVITE("invite"),
    JOIN("join"),
    KNOCK("knock"),
    LEAVE("leave"),
    BAN("ban");

    @JsonValue
    public final String word;

    Membership(String word) {
        this.word = word;
    }

    /** Empty for a word that is not in the specification. */
    public static Optional<Membership> of(String word) {
        return Arrays.stream(values())
                .filter(membership -> membership.word.equals(word))
                .findFirst();
    }
}
