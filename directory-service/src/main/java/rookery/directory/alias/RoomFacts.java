// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;

/**
 * The membership and power of a user in a room, and the power required for some types of state events, according to room-service.
 */
record RoomFacts(
        @Nullable String member,
        long power,
        @JsonProperty("power_for") @Nullable Map<String, Long> powerFor,
        @JsonProperty("world_readable") boolean worldReadable) {

    boolean isJoined() {
        return Membership.JOIN.word.equals(member);
    }

    /** The power to change the canonical alias includes the power to delete any alias of the room. */
    boolean maySendCanonicalAlias() {
        var needed = powerFor == null ? null : powerFor.get(EventTypes.CANONICAL_ALIAS);
        return isJoined() && needed != null && power >= needed;
    }
}
