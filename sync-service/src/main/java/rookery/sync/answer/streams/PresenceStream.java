// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.token.Mark;
import rookery.model.token.Marks;
import rookery.platform.tenant.Tenants;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncStream;
import rookery.sync.presence.PresenceProperties;
import rookery.sync.presence.PresenceSets;
import rookery.sync.presence.PresenceSets.PresenceReader;
import rookery.sync.presence.PresenceSets.ShownPresence;
import rookery.sync.presence.PresenceText;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Changed presence of users who share a room with the reader (contract.md 13.5). */
@Component
@Order(50)
class PresenceStream implements SyncStream {
    private static final ContentKey<Events> EVENTS = new ContentKey<>("presence");
    /** The mark of a client that got no presence from this run of this node. */
    private static final long NOTHING = 0;

    private final PresenceSets sets;
    private final PresenceProperties properties;
    private final Tenants tenants;
    private final Clock clock;

    PresenceStream(PresenceSets sets, PresenceProperties properties, Tenants tenants, Clock clock) {
        this.sets = sets;
        this.properties = properties;
        this.tenants = tenants;
        this.clock = clock;
    }

    /** Events as JSON. In rooms with many readers they end no wait, because presence changes there all the time. */
    private record Events(List<String> texts, boolean endsWait) {}

    @Override
    public Marks mark(Marks marks) {
        return marks.with(Mark.PRESENCE, sets.mark());
    }

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        if (tenants.hasPresence(look.tenant())) {
            var newRooms = newRooms(look);
            var reader = new PresenceReader(
                    look.tenant(),
                    look.toldHere(Mark.PRESENCE, NOTHING),
                    look.next().marks().of(Mark.PRESENCE),
                    look.since() == null,
                    newRooms);
            var changed = sets.changed(reader, properties.usersMax());
            if (!changed.isEmpty()) {
                add(look, changed, rooms(look, newRooms), answer);
            }
        }
        return DONE;
    }

    /** The rooms that the reader has joined since the token; empty for an initial sync, which includes all members. */
    private static Set<Long> newRooms(Look look) {
        return look.since() == null
                ? Set.of()
                : look
                        .inbox()
                        .memberships()
                        .joinedSince(look.since().rooms(), look.next().rooms())
                        .stream()
                        .map(RoomId::hash)
                        .collect(Collectors.toSet());
    }

    /** The reader's rooms, with true where presence ends a wait: few readers on this node, or just joined. */
    private Map<Long, Boolean> rooms(Look look, Set<Long> newRooms) {
        var rooms = new HashMap<Long, Boolean>();
        look.inbox()
                .memberships()
                .readersOfJoinedRooms(look.next().rooms())
                .forEach((room, readers) -> rooms.put(
                        room.hash(), readers <= properties.wakeReadersMax() || newRooms.contains(room.hash())));
        return rooms;
    }

    private void add(Look look, List<ShownPresence> changed, Map<Long, Boolean> rooms, Answer answer) {
        var filter = look.poll().filter.presence();
        int limit =
                filter.limit() == null ? properties.eventsMax() : Math.clamp(filter.limit(), 1, properties.eventsMax());
        var texts = new ArrayList<String>();
        boolean endsWait = false;
        for (var shown : changed) {
            var user = shown.presence().user();
            boolean isOwn = user.equals(look.poll().reader.user());
            var shared = shared(shown.rooms(), rooms);
            boolean passes = (isOwn || shared != SharedRooms.NONE)
                    && !look.ignored().contains(user.value())
                    && filter.passes(PresenceText.TYPE, user, false);
            if (passes && texts.size() < limit) {
                texts.add(PresenceText.event(shown.presence(), clock.millis()));
                endsWait |= shared == SharedRooms.SMALL && !isOwn;
            }
        }
        if (!texts.isEmpty()) {
            answer.put(EVENTS, new Events(texts, endsWait));
        }
    }

    @Override
    public Urgency urgency(Answer answer) {
        var events = answer.get(EVENTS);
        return events != null && events.endsWait ? Urgency.LATER : Urgency.NOTHING;
    }

    /** Presence that did not end a wait stays before the mark, and comes with the next answer. */
    @Override
    public Marks untold(Marks before, Marks next, Answer answer) {
        if (answer.get(EVENTS) == null) {
            return next;
        }
        return next.with(Mark.PRESENCE, before.node() == next.node() ? before.of(Mark.PRESENCE) : NOTHING);
    }

    @Override
    public String extension() {
        return "presence";
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        var events = answer.get(EVENTS);
        EventsSection.write("presence", events == null ? null : events.texts, json::writeRawValue, json);
    }

    private enum SharedRooms {
        NONE,
        LARGE,
        SMALL
    }

    private static SharedRooms shared(Set<Long> userRooms, Map<Long, Boolean> readerRooms) {
        var result = SharedRooms.NONE;
        for (var room : userRooms) {
            var small = readerRooms.get(room);
            if (small != null && small) {
                return SharedRooms.SMALL;
            }
            result = small == null ? result : SharedRooms.LARGE;
        }
        return result;
    }
}
