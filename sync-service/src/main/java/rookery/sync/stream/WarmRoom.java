package rookery.sync.stream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.sync.stream.RoomPart.Line;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.stream.RoomPart.Summary;

/**
 * Tells from memory what is new in a room, to a reader who was joined from {@code since} on; everything that takes more than
 * the new events is left to the room's owner.
 */
public final class WarmRoom {
    /** In a larger room the few members whose names could make up the room's name hardly ever change. */
    private static final int HEROES_MEMBERS_MAX = 20;

    /** What is told. */
    public sealed interface Verdict {}

    /** This is new. */
    public record Said(RoomPart part) implements Verdict {}

    /** Nothing that the reader wants is new. */
    public record Nothing() implements Verdict {}

    /** What is held here does not suffice. */
    public record AskOwner() implements Verdict {}

    /**
     * A reader and the room.
     *
     * @param joinedFrom where the reader's uninterrupted time in the room began
     */
    public record Reading(
            RoomId room,
            int shard,
            long joinedFrom,
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
    public static Verdict tell(Reading reading, @Nullable List<Held> range, RoomRing ring) {
        if (range == null) {
            return new AskOwner();
        }
        if (range.isEmpty()) {
            return new Nothing();
        }
        var wish = new TimelineCut.Wish(reading.filter, reading.ignored, reading.stateAfter);
        var cut = TimelineCut.of(range, reading.since, reading.room, wish);
        if (cut.timeline().isEmpty() && cut.state().isEmpty()) {
            return new Nothing();
        }
        boolean counted = range.stream().anyMatch(Held::isMember);
        var last = range.getLast().event().meta();
        if (counted && last.joined() + last.invited() <= HEROES_MEMBERS_MAX) {
            return new AskOwner(); // who is named in the summary may have changed
        }
        var state = withSenders(reading, cut, range, ring);
        if (state == null || !isTold(reading, cut.timeline()) || !isTold(reading, state)) {
            return new AskOwner();
        }
        return new Said(new RoomPart(
                reading.room,
                reading.shard,
                Section.JOIN,
                lines(reading, cut.timeline()),
                cut.limited(),
                cut.prevPos(),
                lines(reading, state),
                counted ? new Summary(last.joined(), last.invited(), null) : null,
                null));
    }

    private static List<Line> lines(Reading reading, List<Held> events) {
        var lines = new ArrayList<Line>(events.size());
        for (var held : events) {
            lines.add(new Line(held, Membership.JOIN, Boolean.TRUE.equals(sawPrevious(reading, held))));
        }
        return lines;
    }

    private static boolean isTold(Reading reading, List<Held> events) {
        for (var held : events) {
            if (sawPrevious(reading, held) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether the reader may see what this event replaced; null when that depends on memberships before the present one. */
    private static @Nullable Boolean sawPrevious(Reading reading, Held held) {
        var replaced = held.event().meta().replaces();
        if (replaced == null || replaced.pos() >= reading.joinedFrom) {
            return true;
        }
        return switch (replaced.visibility()) {
            case "joined", "invited" -> null;
            default -> true; // shared, world readable, and words nobody knows: who is joined now sees it
        };
    }

    /** The state, and for lazy loading the member events of the timeline's senders; null when one is not known here. */
    private static @Nullable List<Held> withSenders(Reading reading, TimelineCut cut, List<Held> range, RoomRing ring) {
        var filter = reading.filter.state();
        if (!filter.lazyLoadMembers() || reading.stateAfter) {
            return filter.lazyLoadMembers() && !cut.timeline().isEmpty() ? null : cut.state();
        }
        var state = new ArrayList<>(cut.state());
        var named = new HashSet<String>();
        state.stream().filter(Held::isMember).forEach(held -> named.add(subject(held)));
        var changed = new HashSet<String>();
        range.stream().filter(Held::isMember).forEach(held -> changed.add(subject(held)));
        for (var held : cut.timeline()) {
            var sender = held.event().meta().sender();
            if (!named.add(sender.value())) {
                continue;
            }
            var member = changed.contains(sender.value()) ? null : ring.member(sender.value());
            if (member == null || member.pos() > reading.since) {
                return null;
            }
            var meta = member.event().meta();
            if (filter.passes(EventTypes.MEMBER, meta.sender(), meta.url()) && filter.passesRoom(reading.room)) {
                state.add(member);
            }
        }
        state.sort(Comparator.comparingLong(Held::pos));
        return state;
    }

    /** The newest member event of each user among these, for {@link RoomRing#learn}. */
    public static List<Held> newestMembers(List<Held> events) {
        var users = new HashSet<String>();
        return events.stream()
                .filter(Held::isMember)
                .sorted(Comparator.comparingLong(Held::pos).reversed())
                .filter(held -> users.add(subject(held)))
                .toList();
    }

    private static String subject(Held held) {
        return String.valueOf(held.event().meta().stateKey());
    }
}
