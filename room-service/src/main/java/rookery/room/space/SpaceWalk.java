package rookery.room.space;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.platform.http.PageBytes;
import rookery.room.space.SpaceRoom.Child;
import rookery.room.space.SpaceRows.FoundRooms;

/** A depth-first walk through the rooms of a space. Each room is visited once, even in cycles. No I/O. */
final class SpaceWalk {
    /** Limit of a walk, since every page repeats the walk through the rooms of the pages before. */
    static final int ROOMS_MAX = 10_000;

    private static final int BATCH_MAX = 50;

    private final WalkQuestion walked;
    private final @Nullable Long last;
    private final int most;
    private final Deque<Step> ahead = new ArrayDeque<>();
    private final Set<RoomId> met = new HashSet<>();
    private final Set<RoomId> asked = new HashSet<>();
    private final Map<RoomId, SpaceRoom> known = new HashMap<>();
    private final List<SpaceRoom> found = new ArrayList<>();

    /** Number of rooms before the page, whose state is not kept. */
    private int start;
    /** Size of the rooms found from the start on. */
    private long bytes;

    private record Step(RoomId room, int depth) {}

    /** The root of a walk, and the children to follow. */
    record WalkQuestion(RoomId root, boolean suggestedOnly, int depthMax) {}

    /** A walk that keeps rooms from the start on, and ends after one room more than a page has, or at the bytes of a page. */
    SpaceWalk(WalkQuestion walked, int start, int most) {
        this(walked, start, null, most);
    }

    private SpaceWalk(WalkQuestion walked, int start, @Nullable Long last, int most) {
        this.walked = walked;
        this.start = start;
        this.last = last;
        this.most = most;
        ahead.push(new Step(walked.root, 0));
    }

    /** A walk that keeps the rooms after the last room of the page before, wherever that room is now. */
    static SpaceWalk behind(WalkQuestion walked, HierarchyPlace place, int most) {
        return place.rooms() == 0
                ? new SpaceWalk(walked, 0, most)
                : new SpaceWalk(walked, Integer.MAX_VALUE, place.last(), most);
    }

    /** Whether the beginning of the page is known; false if the last room of the page before is gone. */
    boolean hasStart() {
        return start < Integer.MAX_VALUE;
    }

    /** Number of rooms before the page. */
    int start() {
        return start;
    }

    WalkQuestion walked() {
        return walked;
    }

    /** Walks through the known rooms. Returns the rooms needed to continue; empty when the walk has ended. */
    Collection<RoomId> advance() {
        while (!ahead.isEmpty() && !isFull()) {
            var step = ahead.peek();
            if (met.contains(step.room)) {
                ahead.pop();
            } else if (asked.contains(step.room)) {
                enter(ahead.pop());
            } else {
                return unknown();
            }
        }
        return List.of();
    }

    private boolean isFull() {
        return found.size() == ROOMS_MAX || found.size() - start > most || bytes >= PageBytes.PAGE_MAX;
    }

    private void enter(Step step) {
        met.add(step.room);
        var room = known.remove(step.room);
        if (room == null) {
            return; // the room does not exist or is not accessible to the reader
        }
        var children = children(room);
        if (found.size() < start) {
            found.add(room.passed());
        } else {
            found.add(room);
            bytes += room.bytes();
        }
        if (last != null && last == HierarchyPlace.hash(room.room())) {
            start = found.size();
        }
        if (step.depth < walked.depthMax) {
            children.reversed().forEach(child -> ahead.push(new Step(child.room(), step.depth + 1)));
        }
    }

    /** The children that the walk follows, in display order. */
    List<Child> children(SpaceRoom room) {
        return room.children().stream()
                .filter(child -> child.suggested() || !walked.suggestedOnly)
                .toList();
    }

    /** The next rooms on the way, requested together. */
    private Set<RoomId> unknown() {
        var rooms = new LinkedHashSet<RoomId>();
        for (var step : ahead) {
            if (rooms.size() == BATCH_MAX) {
                break;
            }
            if (!asked.contains(step.room)) {
                rooms.add(step.room);
            }
        }
        return rooms;
    }

    /** Adds rooms. Requested rooms that are neither in the answer nor left out do not exist for the reader. */
    void learn(Collection<RoomId> askedFor, FoundRooms answer) {
        askedFor.stream().filter(room -> !answer.leftOut().contains(room)).forEach(asked::add);
        answer.rooms().forEach(room -> known.put(room.room(), room));
    }

    boolean isDone() {
        return ahead.isEmpty();
    }

    List<SpaceRoom> found() {
        return found;
    }
}
