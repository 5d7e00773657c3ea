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
import rookery.model.id.RoomId;
import rookery.room.space.SpaceRoom.Child;

/** A walk through the rooms of a space, depth first, each room once, however they name each other. No I/O. */
final class SpaceWalk {
    private static final int BATCH_MAX = 50;

    private final boolean suggestedOnly;
    private final int depthMax;
    private final int wanted;
    private final Deque<Step> ahead = new ArrayDeque<>();
    private final Set<RoomId> met = new HashSet<>();
    private final Set<RoomId> asked = new HashSet<>();
    private final Map<RoomId, SpaceRoom> known = new HashMap<>();
    private final List<SpaceRoom> found = new ArrayList<>();

    private record Step(RoomId room, int depth) {}

    /** @param wanted the walk ends when it has found as many rooms */
    SpaceWalk(RoomId root, boolean suggestedOnly, int depthMax, int wanted) {
        this.suggestedOnly = suggestedOnly;
        this.depthMax = depthMax;
        this.wanted = wanted;
        ahead.push(new Step(root, 0));
    }

    /** Walks as far as it knows the rooms; answers which it must be told of to go on, none when it is done. */
    Collection<RoomId> advance() {
        while (!ahead.isEmpty() && found.size() < wanted) {
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

    private void enter(Step step) {
        met.add(step.room);
        var room = known.get(step.room);
        if (room == null) {
            return; // there is no such room, or it is none of the reader's business
        }
        found.add(room);
        if (step.depth < depthMax) {
            children(room).reversed().forEach(child -> ahead.push(new Step(child.room(), step.depth + 1)));
        }
    }

    /** The children that count, in their order. */
    List<Child> children(SpaceRoom room) {
        return room.children().stream()
                .filter(child -> child.suggested() || !suggestedOnly)
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

    /** Tells it of rooms; those asked for that are not among them do not exist for the reader. */
    void learn(Collection<RoomId> askedFor, List<SpaceRoom> rooms) {
        asked.addAll(askedFor);
        rooms.forEach(room -> known.put(room.room(), room));
    }

    boolean isDone() {
        return ahead.isEmpty();
    }

    List<SpaceRoom> found() {
        return found;
    }
}
