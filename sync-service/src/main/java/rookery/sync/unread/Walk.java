package rookery.sync.unread;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.sync.ring.RingEvent;

/** Counts the events of a room for a user, in order. */
final class Walk {
    private static final Name NOT_ASKED = new Name(null);

    private final Place place;
    private final Rules rules;
    private final JudgedEvents judged;
    private final RoomUnread state;

    Walk(Place place, Rules rules, JudgedEvents judged, RoomUnread state) {
        this.place = place;
        this.rules = rules;
        this.judged = judged;
        this.state = state;
    }

    /** @param events all events after a position, in order, including events after {@code upto} */
    void over(List<RingEvent> events, long upto) {
        var names = rules.askNames() ? new Names(rules.user, place.name(), events) : null;
        for (int i = 0; i < events.size() && events.get(i).pos() <= upto; i++) {
            var held = events.get(i);
            if (held.pos() > state.known()) {
                see(held, names == null ? NOT_ASKED : names.at(i));
            }
        }
    }

    private void see(RingEvent held, @Nullable Name name) {
        var event = held.event();
        var meta = event.meta();
        if (meta.redacts() != null) {
            state.redact(meta.redacts().pos(), held.pos());
        }
        if (meta.sender().equals(rules.user)) {
            state.sent(meta.thread() == null ? null : meta.thread().value(), held.pos());
        } else if (name == null) {
            state.miss(held.pos()); // the name is unknown: only push-service can judge
        } else if (event.redactedBecauseJson() == null) {
            var verdict = judged.of(place.room(), event).judge(rules, name.text());
            if (verdict.notifies()) {
                var thread = meta.thread() == null ? null : meta.thread().value();
                state.count(held.pos(), thread, meta.sender(), verdict.highlights());
            }
        }
    }
}
