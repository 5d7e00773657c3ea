// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    record WindowRoom(ListedRoom listed, RoomConfig config, List<String> lists) {
        private WindowRoom with(RoomConfig other, @Nullable String list) {
            var all = new ArrayList<>(lists);
            if (list != null) {
                all.add(list);
            }
            return new WindowRoom(listed, config.with(other), all);
        }
    }

    /** Rooms that the user has left are in lists only while the client has them. */
    static Window of(SlidingRequest request, List<ListedRoom> all, UserRooms user, ConnectionState state) {
        var rooms = new ArrayList<ListedRoom>(all.size());
        for (var room : all) {
            if (!room.isLeft() || state.of(room.room()) != null) {
                rooms.add(room);
            }
        }
        rooms.sort(BY_ACTIVITY);
        var window = new LinkedHashMap<RoomId, WindowRoom>();
        var counts = new LinkedHashMap<String, Integer>();
        request.lists().forEach((name, list) -> counts.put(name, add(name, list, rooms, user, window)));
        if (!request.subscriptions().isEmpty()) {
            var known = new HashMap<RoomId, ListedRoom>();
            rooms.forEach(room -> known.put(room.room(), room));
            request.subscriptions().forEach((id, config) -> {
                var room = known.get(id);
                if (room != null) {
                    add(room, config, null, window);
                }
            });
        }
        return new Window(window, counts);
    }

    private static int add(
            String name, ListRequest list, List<ListedRoom> rooms, UserRooms user, Map<RoomId, WindowRoom> window) {
        int index = 0;
        for (var room : rooms) {
            if (list.filter().passes(room, user)) {
                if (isWithin(list.ranges(), index)) {
                    add(room, list.config(), name, window);
                }
                index++;
            }
        }
        return index;
    }

    private static boolean isWithin(@Nullable List<Range> ranges, int index) {
        return ranges == null || ranges.stream().anyMatch(range -> range.first() <= index && index <= range.last());
    }

    private static void add(ListedRoom room, RoomConfig config, @Nullable String list, Map<RoomId, WindowRoom> window) {
        window.compute(
                room.room(),
                (_, present) -> present == null
                        ? new WindowRoom(room, config, list == null ? List.of() : List.of(list))
                        : present.with(config, list));
    }
}
