// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The content of a room that a client wants ("room config" of MSC4186), combined from the lists and the subscription of the room.
 *
 * @param timelineLimit the most events of a timeline
 * @param states the state that any of the combined requests wants
 */
record RoomConfig(int timelineLimit, Set<StateRequest> states) {
    static RoomConfig of(int timelineLimit, StateRequest state) {
        return new RoomConfig(timelineLimit, state.equals(StateRequest.NONE) ? Set.of() : Set.of(state));
    }

    RoomConfig with(RoomConfig other) {
        if (equals(other)) {
            return this;
        }
        var all = new LinkedHashSet<>(states);
        all.addAll(other.states);
        return new RoomConfig(Math.max(timelineLimit, other.timelineLimit), Set.copyOf(all));
    }

    boolean wants(String type, String stateKey) {
        return states.stream().anyMatch(state -> state.wants(type, stateKey));
    }

    /** Whether the client wants state that it did not want before. */
    boolean hasMoreState(RoomConfig before) {
        return !before.states.containsAll(states);
    }

    boolean hasLongerTimeline(RoomConfig before) {
        return timelineLimit > before.timelineLimit;
    }
}
