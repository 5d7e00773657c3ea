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

/** A walk through the rooms of a space, depth first, each room once, however they name each other. No I/O. */
final class SpaceWalk {
    /** Nobody reads on in a larger space: every page walks again through what the pages before it told. */
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

    /** Of so many rooms, the first ones, nothing is kept but that they were met. */
    private int start;
    /** What is to be told of the rooms that were found from the start on. */
    private long bytes;

    private record Step(RoomId room, int depth) {}

    /** Where a walk begins, and which children it follows. */
    record WalkQuestion(RoomId root, boolean suggestedOnly, int depthMax) {}

    /** A walk that keeps rooms from the start on, and ends with one more than a page has, or as many bytes. */
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

    /** A walk that keeps rooms behind the last one that was told, wherever that is by now. */
    static SpaceWalk behind(WalkQuestion walked, HierarchyPlace place, int most) {
        return place.rooms() == 0
                ? new SpaceWalk(walked, 0, most)
                : new SpaceWalk(walked, Integer.MAX_VALUE, place.last(), most);
    }

    /** Whether it knows where the page begins; not if the room that the page before ended with is gone. */
    boolean hasStart() {
        return start < Integer.MAX_VALUE;
    }

    /** How many rooms it passed before the page. */
    int start() {
        return start;
    }

    WalkQuestion walked() {
        return walked;
    }

    /** Walks as far as it knows the rooms; answers which it must be told of to go on, none when it is done. */
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
            return; // there is no such room, or it is none of the reader's business
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

    /** The children that count, in their order. */
    List<Child> children(SpaceRoom room) {
        return room.children().stream()
                .filter(child -> child.suggested() || !walked.suggestedOnly)
                .toList();
    }

    /** The next rooms on the way, so that they are asked for together. */
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

    /** Tells it of rooms; those asked for that are neither among them nor left out do not exist for the reader. */
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
