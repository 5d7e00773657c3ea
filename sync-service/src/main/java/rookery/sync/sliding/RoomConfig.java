// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.HashSet;
import java.util.List;
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

    /** The content that any of the configs asks for. */
    static RoomConfig all(List<RoomConfig> configs) {
        if (configs.size() == 1) {
            return configs.getFirst();
        }
        int limit = 0;
        var states = new HashSet<StateRequest>();
        for (var config : configs) {
            limit = Math.max(limit, config.timelineLimit);
            states.addAll(config.states);
        }
        return new RoomConfig(limit, Set.copyOf(states));
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
