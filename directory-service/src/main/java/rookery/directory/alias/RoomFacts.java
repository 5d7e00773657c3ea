package rookery.directory.alias;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;

/**
 * What room-service says of a room and one user in it.
 *
 * @param member the user's membership, or null if the room never heard of the user
 * @param power the user's power level
 * @param powerFor the power that some state events take, by type
 */
record RoomFacts(
        @Nullable String member,
        long power,
        @JsonProperty("power_for") @Nullable Map<String, Long> powerFor,
        @JsonProperty("world_readable") boolean worldReadable) {

    boolean isJoined() {
        return Membership.JOIN.word.equals(member);
    }

    /** Who may change the canonical alias may take any alias from the room. */
    boolean maySendCanonicalAlias() {
        var needed = powerFor == null ? null : powerFor.get(EventTypes.CANONICAL_ALIAS);
        return isJoined() && needed != null && power >= needed;
    }
}
