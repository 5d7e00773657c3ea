package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event that somebody wants in the room.
 *
 * @param stateKey null for a message event
 * @param restrictionMet for a join under a restricted rule: whether a condition of the rule was verified
 */
public record Candidate(
        String type, @Nullable String stateKey, UserId sender, ObjectNode content, boolean restrictionMet) {
    public Candidate(String type, @Nullable String stateKey, UserId sender, ObjectNode content) {
        this(type, stateKey, sender, content, false);
    }
}
