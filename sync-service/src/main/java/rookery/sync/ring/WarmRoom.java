// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.ring.RoomPart.Summary;

/** Reads a room's changes from memory for a reader who was joined throughout; room-service answers the rest. */
public final class WarmRoom {
    /** The result of a read. */
    public sealed interface Verdict {}

    /** The room has changes for the reader. */
    public record Changed(RoomPart part) implements Verdict {}

    /** The room has no changes for the reader. */
    public record Nothing() implements Verdict {}

    /** Memory does not suffice; ask room-service. */
    public record AskOwner() implements Verdict {}

    /** A member event as seen by one reader. Small, because kept for each reader and room. */
    public record MetMembership(long pos, Membership membership, boolean sawPrevious) {
        public static MetMembership of(Line line) {
            return new MetMembership(line.ringEvent().pos(), line.membership(), line.sawPrevious());
        }
    }

    /**
     * A reader of a room.
     *
     * @param met by user: member events from before the current join, as this reader may see them
     */
    public record WarmReader(
            RoomId room,
            int shard,
            long joinedFrom,
            Map<String, MetMembership> met,
            long since,
            RoomFilter filter,
            Set<String> ignored,
            boolean stateAfter) {}

    private WarmRoom() {}

    /** Reads the room's changes from all its events after {@code since}; null for an incomplete ring. */
    public static Verdict read(WarmReader reader, @Nullable List<RingEvent> range, RoomRing ring) {
        if (range == null) {
            return new AskOwner();
        }
        if (range.isEmpty()) {
            return new Nothing();
        }
        var request = new TimelineCut.TimelineRequest(reader.filter, reader.ignored, reader.stateAfter);
        var cut = TimelineCut.of(range, reader.since, reader.room, request);
        boolean membershipsChanged = range.stream().anyMatch(RingEvent::changesMembership);
        var last = range.getLast().meta().room();
        boolean small = last.hasFewMembers();
        if ((membershipsChanged && small) || range.stream().anyMatch(WarmRoom::mayChangeName)) {
            return new AskOwner(); // heroes may have changed, even if the filter excludes the events
        }
        if (cut.timeline().isEmpty() && cut.state().isEmpty() && !cut.limited()) {
            return new Nothing();
        }
        // a reader whose filter hides joins in a large room gets the counts with every change
        boolean hasCounts =
                membershipsChanged || !(small || reader.filter.timeline().isOpen());
        var timeline = lines(reader, cut.timeline());
        var state = lines(reader, cut.state());
        if (timeline == null || state == null || !addSenders(state, reader, cut, range, ring)) {
            return new AskOwner();
        }
        return new Changed(new RoomPart(
                reader.room,
                reader.shard,
                Section.JOIN,
                timeline,
                cut.limited(),
                cut.prevPos(),
                state,
                hasCounts ? new Summary(last.joined(), last.invited(), null) : null,
                null));
    }

    /** Whether the event may add or remove the room's name; an unnamed room is named after heroes. */
    private static boolean mayChangeName(RingEvent ringEvent) {
        var type = ringEvent.meta().type();
        return ringEvent.isState() && (type.equals(EventTypes.NAME) || type.equals(EventTypes.CANONICAL_ALIAS));
    }

    /** Null if memory does not suffice for an event. */
    private static @Nullable List<Line> lines(WarmReader reader, List<RingEvent> events) {
        var lines = new ArrayList<Line>(events.size());
        for (var ringEvent : events) {
            var line = line(reader, ringEvent);
            if (line == null) {
                return null;
            }
            lines.add(line);
        }
        return lines;
    }

    /** An event of the reader's current membership. */
    private static @Nullable Line line(WarmReader reader, RingEvent ringEvent) {
        var sawPrevious = sawPrevious(reader, ringEvent);
        return sawPrevious == null ? null : new Line(ringEvent, Membership.JOIN, sawPrevious);
    }

    /** Whether the reader may see the replaced content; null if that depends on an earlier membership. */
    private static @Nullable Boolean sawPrevious(WarmReader reader, RingEvent ringEvent) {
        var replaced = ringEvent.meta().replaces();
        if (replaced == null || replaced.pos() >= reader.joinedFrom) {
            return true;
        }
        return switch (replaced.visibility()) {
            case "joined", "invited" -> null;
            default -> true; // shared, world_readable and unknown values: a joined reader may see the content
        };
    }

    /** Adds the senders' member events for lazy loading; false if one is unknown. */
    private static boolean addSenders(
            List<Line> state, WarmReader reader, TimelineCut cut, List<RingEvent> range, RoomRing ring) {
        var filter = reader.filter.state();
        if (!filter.lazyLoadMembers() || cut.timeline().isEmpty()) {
            return true;
        }
        if (reader.stateAfter) {
            return false;
        }
        var members = new HashSet<String>();
        cut.state().stream().filter(RingEvent::isMember).forEach(ringEvent -> members.add(subject(ringEvent)));
        var changed = new HashSet<String>();
        range.stream().filter(RingEvent::isMember).forEach(ringEvent -> changed.add(subject(ringEvent)));
        for (var ringEvent : cut.timeline()) {
            var sender = ringEvent.meta().sender();
            if (!members.add(sender.value())) {
                continue;
            }
            var line = changed.contains(sender.value()) ? null : member(reader, sender.value(), ring);
            if (line == null) {
                return false;
            }
            var meta = line.ringEvent().meta();
            if (filter.passes(EventTypes.MEMBER, meta.sender(), meta.url()) && filter.passesRoom(reader.room)) {
                state.add(line);
            }
        }
        state.sort(Comparator.comparingLong(line -> line.ringEvent().pos()));
        return true;
    }

    /** A member event in force at {@code since}; null if the event or its view by this reader is unknown. */
    private static @Nullable Line member(WarmReader reader, String user, RoomRing ring) {
        var ringEvent = ring.member(user);
        if (ringEvent == null || ringEvent.pos() > reader.since) {
            return null;
        }
        if (ringEvent.pos() >= reader.joinedFrom) {
            return line(reader, ringEvent);
        }
        var seen = reader.met.get(user);
        return seen != null && seen.pos == ringEvent.pos()
                ? new Line(ringEvent, seen.membership, seen.sawPrevious) // the cached event contains later redactions
                : null;
    }

    /** Each user's newest member event among the events. */
    public static List<Line> newestMembers(List<Line> lines) {
        var users = new HashSet<String>();
        return lines.stream()
                .filter(line -> line.ringEvent().isMember())
                .sorted(Comparator.comparingLong((Line line) -> line.ringEvent().pos())
                        .reversed())
                .filter(line -> users.add(subject(line.ringEvent())))
                .toList();
    }

    private static String subject(RingEvent ringEvent) {
        return String.valueOf(ringEvent.meta().stateKey());
    }
}
