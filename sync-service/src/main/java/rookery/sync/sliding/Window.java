// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.sliding.SlidingRequest.ListRequest;
import rookery.sync.sliding.SlidingRequest.Range;

/**
 * The rooms that a request asks for, by last activity, latest first: those in the windows of its lists, and its subscriptions.
 *
 * @param counts the number of rooms in each list, in its windows or not
 */
record Window(Map<RoomId, WindowRoom> rooms, Map<String, Integer> counts) {
    private static final Comparator<ListedRoom> BY_ACTIVITY = Comparator.comparingLong(ListedRoom::lastMs)
            .reversed()
            .thenComparing(room -> room.room().value());

    /** A room with its combined config, and the lists that the room is in the window of. */
    record WindowRoom(ListedRoom listed, RoomConfig config, List<String> lists) {}

    /** A room of the window, and the lists that the room is in the window of so far. */
    private record PlacedRoom(ListedRoom listed, List<String> lists) {}

    /** Rooms that the user has left are in lists only while the client has them. */
    static Window of(SlidingRequest request, List<ListedRoom> all, UserRooms user, ConnectionState state) {
        var rooms = new ArrayList<ListedRoom>(all.size());
        for (var room : all) {
            if (!room.isLeft() || state.of(room.room()) != null) {
                rooms.add(room);
            }
        }
        rooms.sort(BY_ACTIVITY);
        var placed = new LinkedHashMap<RoomId, PlacedRoom>();
        var counts = new LinkedHashMap<String, Integer>();
        request.lists().forEach((name, list) -> counts.put(name, add(name, list, rooms, user, placed)));
        if (!request.subscriptions().isEmpty()) {
            rooms.stream()
                    .filter(room -> request.subscriptions().containsKey(room.room()))
                    .forEach(room -> placed.putIfAbsent(room.room(), new PlacedRoom(room, List.of())));
        }
        var window = new LinkedHashMap<RoomId, WindowRoom>();
        var combined = new HashMap<List<String>, RoomConfig>();
        placed.forEach((id, room) ->
                window.put(id, new WindowRoom(room.listed, config(request, id, room.lists, combined), room.lists)));
        return new Window(window, counts);
    }

    /** @param combined the configs of rooms in the same lists, combined once */
    private static RoomConfig config(
            SlidingRequest request, RoomId room, List<String> lists, Map<List<String>, RoomConfig> combined) {
        var subscription = request.subscriptions().get(room);
        if (lists.isEmpty() && subscription != null) {
            return subscription;
        }
        var ofLists = combined.computeIfAbsent(
                lists,
                _ -> RoomConfig.all(lists.stream()
                        .map(list -> Objects.requireNonNull(request.lists().get(list))
                                .config())
                        .toList()));
        return subscription == null ? ofLists : RoomConfig.all(List.of(ofLists, subscription));
    }

    /** Adds the list to its rooms, and returns the number of rooms inside and outside of the window. */
    private static int add(
            String name, ListRequest list, List<ListedRoom> rooms, UserRooms user, Map<RoomId, PlacedRoom> placed) {
        int index = 0;
        for (var room : rooms) {
            if (list.filter().passes(room, user)) {
                if (isWithin(list.ranges(), index)) {
                    placed.computeIfAbsent(room.room(), _ -> new PlacedRoom(room, new ArrayList<>()))
                            .lists
                            .add(name);
                }
                index++;
            }
        }
        return index;
    }

    private static boolean isWithin(@Nullable List<Range> ranges, int index) {
        return ranges == null || ranges.stream().anyMatch(range -> range.first() <= index && index <= range.last());
    }
}
