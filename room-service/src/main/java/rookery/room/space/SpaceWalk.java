// SPDX-License-Identifier: Apache-2.0
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

    private final WalkQuery query;
    private final @Nullable Long last;
    private final int most;
    private final Deque<Step> ahead = new ArrayDeque<>();
    private final Set<RoomId> visited = new HashSet<>();
    private final Set<RoomId> requested = new HashSet<>();
    private final Map<RoomId, SpaceRoom> learned = new HashMap<>();
    private final List<SpaceRoom> rooms = new ArrayList<>();

    /** Number of rooms before the page, whose state is not kept. */
    private int start;
    /** Size of the rooms found from the start on. */
    private long bytes;

    private record Step(RoomId room, int depth) {}

    /** The root of a walk, and the children to follow. */
    record WalkQuery(RoomId root, boolean suggestedOnly, int depthMax) {}

    /** A walk that keeps rooms from the start on, and ends after one room more than a page has, or at the bytes of a page. */
    SpaceWalk(WalkQuery query, int start, int most) {
        this(query, start, null, most);
    }

    private SpaceWalk(WalkQuery query, int start, @Nullable Long last, int most) {
        this.query = query;
        this.start = start;
        this.last = last;
        this.most = most;
        ahead.push(new Step(query.root, 0));
    }

    /** A walk that keeps the rooms after the last room of the page before, wherever that room is now. */
    static SpaceWalk behind(WalkQuery query, HierarchyPlace place, int most) {
        return place.rooms() == 0
                ? new SpaceWalk(query, 0, most)
                : new SpaceWalk(query, Integer.MAX_VALUE, place.last(), most);
    }

    /** Whether the beginning of the page is known; false if the last room of the page before is gone. */
    boolean hasStart() {
        return start < Integer.MAX_VALUE;
    }

    /** Number of rooms before the page. */
    int start() {
        return start;
    }

    WalkQuery query() {
        return query;
    }

    /** Walks through the known rooms. Returns the rooms needed to continue; empty when the walk has ended. */
    Collection<RoomId> advance() {
        while (!ahead.isEmpty() && !isFull()) {
            var step = ahead.peek();
            if (visited.contains(step.room)) {
                ahead.pop();
            } else if (requested.contains(step.room)) {
                enter(ahead.pop());
            } else {
                return unknown();
            }
        }
        return List.of();
    }

    private boolean isFull() {
        return rooms.size() == ROOMS_MAX || rooms.size() - start > most || bytes >= PageBytes.PAGE_MAX;
    }

    private void enter(Step step) {
        visited.add(step.room);
        var room = learned.remove(step.room);
        if (room == null) {
            return; // the room does not exist or is not accessible to the reader
        }
        var children = children(room);
        if (rooms.size() < start) {
            rooms.add(room.passed());
        } else {
            rooms.add(room);
            bytes += room.bytes();
        }
        if (last != null && last == HierarchyPlace.hash(room.room())) {
            start = rooms.size();
        }
        if (step.depth < query.depthMax) {
            children.reversed().forEach(child -> ahead.push(new Step(child.room(), step.depth + 1)));
        }
    }

    /** The children that the walk follows, in display order. */
    List<Child> children(SpaceRoom room) {
        return room.children().stream()
                .filter(child -> child.suggested() || !query.suggestedOnly)
                .toList();
    }

    /** The next rooms on the way, requested together. */
    private Set<RoomId> unknown() {
        var next = new LinkedHashSet<RoomId>();
        for (var step : ahead) {
            if (next.size() == BATCH_MAX) {
                break;
            }
            if (!requested.contains(step.room)) {
                next.add(step.room);
            }
        }
        return next;
    }

    /** Adds rooms. Requested rooms that are neither in the answer nor left out do not exist for the reader. */
    void learn(Collection<RoomId> roomIds, FoundRooms answer) {
        roomIds.stream().filter(room -> !answer.leftOut().contains(room)).forEach(requested::add);
        answer.rooms().forEach(room -> learned.put(room.room(), room));
    }

    boolean isDone() {
        return ahead.isEmpty();
    }

    List<SpaceRoom> rooms() {
        return rooms;
    }
}
