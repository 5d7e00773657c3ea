// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;

/**
 * Divides a room's new events into timeline and state (contract.md 10.4), for a reader who was joined throughout and may see all
 * of them.
 *
 * @param timeline the last events that pass the filter, up to its limit
 * @param limited whether more events passed the filter
 * @param prevPos the position just before the timeline
 * @param state state events outside of the timeline, ordered by position
 */
record TimelineCut(List<RingEvent> timeline, boolean limited, long prevPos, List<RingEvent> state) {
    /** The parts of a sync query that matter here. */
    record TimelineRequest(RoomFilter filter, Set<String> ignored, boolean stateAfter) {}

    /** @param range all events of the room after {@code since}, in order */
    static TimelineCut of(List<RingEvent> range, long since, RoomId room, TimelineRequest request) {
        var passing = new ArrayList<RingEvent>();
        for (var ringEvent : range) {
            if (shows(ringEvent, room, request)) {
                passing.add(ringEvent);
            }
        }
        int most = request.filter.timelineLimit();
        boolean limited = passing.size() > most;
        var timeline = limited ? List.copyOf(passing.subList(passing.size() - most, passing.size())) : passing;
        return new TimelineCut(
                timeline,
                limited,
                prevPos(range, timeline, limited, since),
                state(range, timeline, limited, room, request));
    }

    /** Without a timeline, prev_batch is after all events. */
    private static long prevPos(List<RingEvent> range, List<RingEvent> timeline, boolean limited, long since) {
        if (timeline.isEmpty()) {
            return limited ? range.getLast().pos() : since;
        }
        return timeline.getFirst().pos() - 1;
    }

    private static boolean shows(RingEvent ringEvent, RoomId room, TimelineRequest request) {
        var meta = ringEvent.meta();
        var timeline = request.filter.timeline();
        return timeline.passes(meta.type(), meta.sender(), meta.url())
                && timeline.passesRoom(room)
                && (ringEvent.isState()
                        || !request.ignored.contains(meta.sender().value()));
    }

    /** Goes from newest to oldest: the newest event of each key decides, even if excluded by the filter. */
    private static List<RingEvent> state(
            List<RingEvent> range, List<RingEvent> timeline, boolean limited, RoomId room, TimelineRequest request) {
        var shownLater = new HashSet<RingEvent.StateKey>();
        var removed = new HashSet<RingEvent.StateKey>();
        var inGap = new HashSet<RingEvent.StateKey>();
        var newest = new LinkedHashMap<RingEvent.StateKey, RingEvent>();
        int nextShown = timeline.size() - 1;
        for (int i = range.size() - 1; i >= 0; i--) {
            var ringEvent = range.get(i);
            boolean shown = nextShown >= 0 && timeline.get(nextShown).pos() == ringEvent.pos();
            boolean isBefore = limited && nextShown < 0 && !request.stateAfter;
            if (shown) {
                nextShown--;
            }
            var key = ringEvent.key();
            if (key == null) {
                continue;
            }
            if (shown && !request.stateAfter) {
                shownLater.add(key);
                continue;
            }
            // events in the gap are the state at the start of the timeline; filtered events count unless superseded
            boolean isNewest = isBefore ? inGap.add(key) : !shownLater.contains(key) && removed.add(key);
            if (isNewest && passesState(ringEvent, room, request)) {
                newest.putIfAbsent(key, ringEvent);
            }
        }
        var state = new ArrayList<>(newest.values());
        Collections.reverse(state);
        return state;
    }

    private static boolean passesState(RingEvent ringEvent, RoomId room, TimelineRequest request) {
        var meta = ringEvent.meta();
        var filter = request.filter.state();
        return filter.passes(meta.type(), meta.sender(), meta.url()) && filter.passesRoom(room);
    }
}
