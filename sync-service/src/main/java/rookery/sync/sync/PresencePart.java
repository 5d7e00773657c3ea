package rookery.sync.sync;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.token.SyncToken;
import rookery.platform.tenant.Tenants;
import rookery.sync.presence.PresenceProperties;
import rookery.sync.presence.PresenceSets;
import rookery.sync.presence.PresenceSets.Shown;
import rookery.sync.presence.PresenceText;

/** How those are with whom the reader shares a room, as far as it changed (CONTRACT.md 13.5). */
@Component
class PresencePart {
    private final PresenceSets sets;
    private final PresenceProperties properties;
    private final Tenants tenants;
    private final Clock clock;

    PresencePart(PresenceSets sets, PresenceProperties properties, Tenants tenants, Clock clock) {
        this.sets = sets;
        this.properties = properties;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * What is told.
     *
     * @param isWorthTelling whether it is worth an answer of its own: in rooms with many readers, where somebody comes or goes all the
     *     time, it waits for one that is sent anyway
     */
    record Told(List<String> events, boolean isWorthTelling) {
        static final Told NOTHING = new Told(List.of(), false);
    }

    /** Where the changes stand now. */
    long mark() {
        return sets.mark();
    }

    Told told(Poll poll, @Nullable SyncToken since, SyncToken next) {
        var filter = poll.filter.presence();
        var mark = next.typing();
        int most =
                filter.limit() == null ? properties.eventsMax() : Math.clamp(filter.limit(), 1, properties.eventsMax());
        if (mark == null || !tenants.hasPresence(poll.owner.tenant())) {
            return Told.NOTHING;
        }
        var last = since == null ? null : since.typing();
        long from = last == null || last.node() != mark.node() ? 0 : last.presence();
        var changed = sets.changed(poll.owner.tenant(), from, mark.presence(), since == null, properties.usersMax());
        if (changed.isEmpty()) {
            return Told.NOTHING;
        }
        return told(poll, changed, rooms(poll, next), most);
    }

    /** Of the rooms that the reader is in: whether few enough read there to be woken for it. */
    private Map<Long, Boolean> rooms(Poll poll, SyncToken next) {
        var rooms = new HashMap<Long, Boolean>();
        poll.inbox
                .standings()
                .joinedRings(next.rooms())
                .forEach((room, readers) -> rooms.put(room.hash(), readers <= properties.wakeReadersMax()));
        return rooms;
    }

    private Told told(Poll poll, List<Shown> changed, Map<Long, Boolean> rooms, int most) {
        var filter = poll.filter.presence();
        var ignored = poll.ignored();
        var events = new ArrayList<String>();
        boolean worth = false;
        for (var shown : changed) {
            var user = shown.said().user();
            boolean mine = user.equals(poll.owner.user());
            var shared = shared(shown.rooms(), rooms);
            boolean wanted = (mine || shared != Shared.NONE)
                    && !ignored.contains(user.value())
                    && filter.passes(PresenceText.TYPE, user, false);
            if (wanted && events.size() < most) {
                events.add(PresenceText.event(shown.said(), clock.millis()));
                worth |= shared == Shared.SMALL && !mine;
            }
        }
        return new Told(events, worth);
    }

    private enum Shared {
        NONE,
        LARGE,
        SMALL
    }

    private static Shared shared(Set<Long> theirs, Map<Long, Boolean> mine) {
        var found = Shared.NONE;
        for (var room : theirs) {
            var small = mine.get(room);
            if (small != null && small) {
                return Shared.SMALL;
            }
            found = small == null ? found : Shared.LARGE;
        }
        return found;
    }
}
