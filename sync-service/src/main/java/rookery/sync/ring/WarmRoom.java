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
 * Tells from memory what is new in a room, to a reader who was joined from {@code since} on; everything that takes more than
 * the new events is left to the room's owner.
 */
public final class WarmRoom {
    /** What is told. */
    public sealed interface Verdict {}

    /** This is new. */
    public record Said(RoomPart part) implements Verdict {}

    /** Nothing that the reader wants is new. */
    public record Nothing() implements Verdict {}

    /** What is held here does not suffice. */
    public record AskOwner() implements Verdict {}

    /** What a member event at that position is to a reader: little, for it is held of each reader, and of each room. */
    public record MetMembership(long pos, Membership membership, boolean sawPrevious) {
        public static MetMembership told(Line line) {
            return new MetMembership(line.held().pos(), line.membership(), line.sawPrevious());
        }
    }

    /**
     * A reader and the room.
     *
     * @param joinedFrom where the reader's uninterrupted time in the room began
     * @param met member events from before that time, as they were told to this reader
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

    /**
     * What to tell.
     *
     * @param range all events of the room after {@code since}, in order, or null when they are not all held
     */
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
            return new AskOwner(); // who is named in the summary may have changed, whether or not the reader wants the
            // events
        }
        if (cut.timeline().isEmpty() && cut.state().isEmpty() && !cut.limited()) {
            return new Nothing();
        }
        // who is not woken for those who come and go in a large room is told how many there are whenever anything is
        // told
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

    /** Whether it may take the room's name away, or give it one: without one, members are named in its place. */
    private static boolean names(RingEvent held) {
        var type = held.event().meta().type();
        return held.isState() && (type.equals(EventTypes.NAME) || type.equals(EventTypes.CANONICAL_ALIAS));
    }

    /** Null when one of them takes more than is known here. */
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

    /** An event from the reader's present time in the room. */
    private static @Nullable Line line(WarmReader reading, RingEvent held) {
        var sawPrevious = sawPrevious(reading, held);
        return sawPrevious == null ? null : new Line(held, Membership.JOIN, sawPrevious);
    }

    /** Whether the reader may see what this event replaced; null when that depends on memberships before the present one. */
    private static @Nullable Boolean sawPrevious(WarmReader reading, RingEvent held) {
        var replaced = held.event().meta().replaces();
        if (replaced == null || replaced.pos() >= reading.joinedFrom) {
            return true;
        }
        return switch (replaced.visibility()) {
            case "joined", "invited" -> null;
            default -> true; // shared, world readable, and words nobody knows: who is joined now sees it
        };
    }

    /** For lazy loading, adds the member events of the timeline's senders; returns false when one is not known here. */
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

    /** The member event in force where the reader stands; null when it, or what it is to this reader, is not known here. */
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
                ? new Line(held, told.membership, told.sawPrevious) // a redaction since then is in what is held
                : null;
    }

    /** The newest member event of each user among these. */
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
