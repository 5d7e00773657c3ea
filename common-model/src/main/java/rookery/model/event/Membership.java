package rookery.model.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/** What a user is to a room (contract.md 8.3); a user whom the room never heard of is {@link #LEAVE} too. */
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

    /** Empty for a word that the specification does not know. */
    public static Optional<Membership> of(String word) {
        for (var membership : values()) {
            if (membership.word.equals(word)) {
                return Optional.of(membership);
            }
        }
        return Optional.empty();
    }
}
