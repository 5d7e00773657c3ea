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

/**
 * Reads a room's changes from memory, for a reader who was joined since {@code since}. Everything that needs more than the new
 * events is left to room-service.
 */
public final class WarmRoom {
    /** The result of a read. */
    public sealed interface Verdict {}

    /** The room has changes for the reader. */
    public record Said(RoomPart part) implements Verdict {}

    /** The room has no changes for the reader. */
    public record Nothing() implements Verdict {}

    /** Memory does not suffice; ask room-service. */
    public record AskOwner() implements Verdict {}

    /** A member event as seen by one reader. Small, because kept for each reader and room. */
    public record MetMembership(long pos, Membership membership, boolean sawPrevious) {
        public static MetMembership told(Line line) {
            return new MetMembership(line.held().pos(), line.membership(), line.sawPrevious());
        }
    }

    /**
     * A reader of a room.
     *
     * @param joinedFrom the start of the reader's current membership
     * @param met member events from before the current membership, as the reader has received them
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

    /** @param range all events of the room after {@code since}, in order; null if the ring is incomplete */
    public static Verdict tell(WarmReader reading, @Nullable List<RingEvent> range, RoomRing ring) {
        if (range == null) {
            return new AskOwner();
        }
        if (range.isEmpty()) {
            return new Nothing();
        }
        var wish = new TimelineCut.TimelineRequest(reading.filter, reading.ignored, reading.stateAfter);
        var cut = TimelineCut.of(range, reading.since, reading.room, wish);
        boolean counted = range.stream().anyMatch(RingEvent::changesMembership);
        var last = range.getLast().event().meta().room();
        boolean small = last.hasFewMembers();
        if ((counted && small) || range.stream().anyMatch(WarmRoom::names)) {
            return new AskOwner(); // heroes may have changed, even if the filter excludes the events
        }
        if (cut.timeline().isEmpty() && cut.state().isEmpty() && !cut.limited()) {
            return new Nothing();
        }
        // a reader whose filter hides joins in a large room gets the counts with every change
        boolean tellsCounts = counted || !(small || reading.filter.timeline().isOpen());
        var timeline = lines(reading, cut.timeline());
        var state = lines(reading, cut.state());
        if (timeline == null || state == null || !addSenders(state, reading, cut, range, ring)) {
            return new AskOwner();
        }
        return new Said(new RoomPart(
                reading.room,
                reading.shard,
                Section.JOIN,
                timeline,
                cut.limited(),
                cut.prevPos(),
                state,
                tellsCounts ? new Summary(last.joined(), last.invited(), null) : null,
                null));
    }

    /** Whether the event may add or remove the room's name; an unnamed room is named after heroes. */
    private static boolean names(RingEvent held) {
        var type = held.event().meta().type();
        return held.isState() && (type.equals(EventTypes.NAME) || type.equals(EventTypes.CANONICAL_ALIAS));
    }

    /** Null if memory does not suffice for an event. */
    private static @Nullable List<Line> lines(WarmReader reading, List<RingEvent> events) {
        var lines = new ArrayList<Line>(events.size());
        for (var held : events) {
            var line = line(reading, held);
            if (line == null) {
                return null;
            }
            lines.add(line);
        }
        return lines;
    }

    /** An event of the reader's current membership. */
    private static @Nullable Line line(WarmReader reading, RingEvent held) {
        var sawPrevious = sawPrevious(reading, held);
        return sawPrevious == null ? null : new Line(held, Membership.JOIN, sawPrevious);
    }

    /** Whether the reader may see the replaced content; null if that depends on an earlier membership. */
    private static @Nullable Boolean sawPrevious(WarmReader reading, RingEvent held) {
        var replaced = held.event().meta().replaces();
        if (replaced == null || replaced.pos() >= reading.joinedFrom) {
            return true;
        }
        return switch (replaced.visibility()) {
            case "joined", "invited" -> null;
            default -> true; // shared, world_readable and unknown values: a joined reader may see the content
        };
    }

    /** Adds the senders' member events for lazy loading; false if one is unknown. */
    private static boolean addSenders(
            List<Line> state, WarmReader reading, TimelineCut cut, List<RingEvent> range, RoomRing ring) {
        var filter = reading.filter.state();
        if (!filter.lazyLoadMembers() || cut.timeline().isEmpty()) {
            return true;
        }
        if (reading.stateAfter) {
            return false;
        }
        var named = new HashSet<String>();
        cut.state().stream().filter(RingEvent::isMember).forEach(held -> named.add(subject(held)));
        var changed = new HashSet<String>();
        range.stream().filter(RingEvent::isMember).forEach(held -> changed.add(subject(held)));
        for (var held : cut.timeline()) {
            var sender = held.event().meta().sender();
            if (!named.add(sender.value())) {
                continue;
            }
            var line = changed.contains(sender.value()) ? null : member(reading, sender.value(), ring);
            if (line == null) {
                return false;
            }
            var meta = line.held().event().meta();
            if (filter.passes(EventTypes.MEMBER, meta.sender(), meta.url()) && filter.passesRoom(reading.room)) {
                state.add(line);
            }
        }
        state.sort(Comparator.comparingLong(line -> line.held().pos()));
        return true;
    }

    /** A member event in force at {@code since}; null if the event or its view by this reader is unknown. */
    private static @Nullable Line member(WarmReader reading, String user, RoomRing ring) {
        var held = ring.member(user);
        if (held == null || held.pos() > reading.since) {
            return null;
        }
        if (held.pos() >= reading.joinedFrom) {
            return line(reading, held);
        }
        var told = reading.met.get(user);
        return told != null && told.pos == held.pos()
                ? new Line(held, told.membership, told.sawPrevious) // the cached event contains later redactions
                : null;
    }

    /** Each user's newest member event among the events. */
    public static List<Line> newestMembers(List<Line> lines) {
        var users = new HashSet<String>();
        return lines.stream()
                .filter(line -> line.held().isMember())
                .sorted(Comparator.comparingLong((Line line) -> line.held().pos())
                        .reversed())
                .filter(line -> users.add(subject(line.held())))
                .toList();
    }

    private static String subject(RingEvent held) {
        return String.valueOf(held.event().meta().stateKey());
    }
}
