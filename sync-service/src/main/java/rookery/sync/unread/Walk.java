// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.sync.ring.RingEvent;

/** Counts the events of a room for a user, in order. */
final class Walk {
    private static final Name NOT_ASKED = new Name(null);

    private final CountedRoom place;
    private final Rules rules;
    private final JudgedEvents judged;
    private final RoomUnread state;

    Walk(CountedRoom place, Rules rules, JudgedEvents judged, RoomUnread state) {
        this.place = place;
        this.rules = rules;
        this.judged = judged;
        this.state = state;
    }

    /** @param events all events after a position, in order, including events after {@code upto} */
    void over(List<RingEvent> events, long upto) {
        var names = rules.askNames() ? new Names(rules.user, place.name(), events) : null;
        for (int i = 0; i < events.size() && events.get(i).pos() <= upto; i++) {
            var ringEvent = events.get(i);
            if (ringEvent.pos() > state.countedTo()) {
                see(ringEvent, names == null ? NOT_ASKED : names.at(i));
            }
        }
    }

    private void see(RingEvent ringEvent, @Nullable Name name) {
        var event = ringEvent.event();
        var meta = event.meta();
        if (meta.redacts() != null) {
            state.redact(meta.redacts().pos(), ringEvent.pos());
        }
        if (meta.sender().equals(rules.user)) {
            state.sent(meta.thread() == null ? null : meta.thread().value(), ringEvent.pos());
        } else if (name == null) {
            state.miss(ringEvent.pos()); // the name is unknown: only push-service can judge
        } else if (event.redactedBecauseJson() == null) {
            var verdict = judged.of(place.room(), event).judge(rules, name.text());
            if (verdict.notifies()) {
                var thread = meta.thread() == null ? null : meta.thread().value();
                state.count(ringEvent.pos(), thread, meta.sender(), verdict.highlights());
            }
        }
    }
}
