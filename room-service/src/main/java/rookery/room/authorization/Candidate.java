// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event that has not been judged yet.
 *
 * @param stateKey null for a message event
 * @param restrictionMet for a join under a restricted join rule: whether the user is in a room that the rule allows
 */
public record Candidate(
        String type, @Nullable String stateKey, UserId sender, ObjectNode content, boolean restrictionMet) {
    public Candidate(String type, @Nullable String stateKey, UserId sender, ObjectNode content) {
        this(type, stateKey, sender, content, false);
    }
}
