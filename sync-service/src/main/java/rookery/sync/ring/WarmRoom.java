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
import rookery.model.id.UserId;
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

    /** Memory suffices once the ring has these member events, which are the same for all readers. */
    public record Lacks(List<UnknownMember> members) implements Verdict {}

    /** A user whose member event is not in memory; {@code changedAt} is the position of the next one. */
    public record UnknownMember(UserId user, long changedAt) {}

    /** A member event as seen by one reader. Small, because kept for each reader and room. */
    public record MetMembership(long pos, Membership membership, boolean sawPrevious) {
        public static MetMembership of(Line line) {
            return new MetMembership(line.ringEvent().pos(), line.membership(), line.sawPrevious());
        }
    }

    /**
     * A reader of a room.
     *
     * @param earlier the reader's memberships before the current join; null if unknown
     * @param met by user, for a reader without {@code earlier}: member events from before the current join, as this reader may
     *     see them
     * @param since the end of the reader's last answer
     * @param upto the end of this answer
     */
    public record WarmReader(
            RoomId room,
            UserId user,
            int shard,
            long joinedFrom,
            @Nullable EarlierMemberships earlier,
            Map<String, MetMembership> met,
            long since,
            long upto,
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
        if (timeline == null || state == null) {
            return new AskOwner();
        }
        var lacking = addSenders(state, reader, cut, ring);
        if (lacking == null) {
            return new AskOwner();
        }
        if (!lacking.isEmpty()) {
            return new Lacks(lacking);
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
        if (reader.earlier != null) {
            return reader.earlier.sawReplaced(ringEvent.meta(), reader.user);
        }
        return switch (replaced.visibility()) {
            case "joined", "invited" -> null;
            default -> true; // shared, world_readable and unknown values: a joined reader may see the content
        };
    }

    /** Adds the senders' member events for lazy loading, or returns the unknown ones; null if only room-service can judge. */
    private static @Nullable List<UnknownMember> addSenders(
            List<Line> state, WarmReader reader, TimelineCut cut, RoomRing ring) {
        var filter = reader.filter.state();
        if (!filter.lazyLoadMembers() || cut.timeline().isEmpty() || !filter.passesRoom(reader.room)) {
            return List.of();
        }
        long stateAt = reader.stateAfter ? reader.upto : cut.prevPos();
        var members = new HashSet<String>();
        cut.state().stream().filter(RingEvent::isMember).forEach(ringEvent -> members.add(subject(ringEvent)));
        var unknown = new ArrayList<UnknownMember>();
        for (var ringEvent : cut.timeline()) {
            var sender = ringEvent.meta().sender();
            if (!members.add(sender.value())) {
                continue;
            }
            var member = ring.member(sender.value(), stateAt);
            if (member.event() == null) {
                unknown.add(new UnknownMember(sender, member.changedAt()));
                continue;
            }
            var line = member.event().pos() > stateAt ? null : member(reader, sender.value(), member.event());
            if (line == null) {
                return null;
            }
            var meta = line.ringEvent().meta();
            if (filter.passes(EventTypes.MEMBER, meta.sender(), meta.url())) {
                state.add(line);
            }
        }
        state.sort(Comparator.comparingLong(line -> line.ringEvent().pos()));
        return unknown;
    }

    /** A member event as the reader may see it; null if that is unknown. */
    private static @Nullable Line member(WarmReader reader, String user, RingEvent ringEvent) {
        if (ringEvent.pos() >= reader.joinedFrom) {
            return line(reader, ringEvent);
        }
        var earlier = reader.earlier;
        if (earlier != null) {
            return new Line(ringEvent, earlier.at(ringEvent.pos()), earlier.sawReplaced(ringEvent.meta(), reader.user));
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
