// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.embedded.Database;

/** Reads the events of all rooms in their order from the database. */
final class RoomRecord {
    private static final String EVENTS = "SELECT room_id, event_id, type, sender FROM room.event ORDER BY room_id, pos";
    private static final String MESSAGE = "m.room.message";

    private final Map<String, List<Event>> rooms = new LinkedHashMap<>();

    private record Event(String id, boolean isMessage, String sender) {}

    private RoomRecord() {}

    static RoomRecord of(Database database) {
        var record = new RoomRecord();
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(EVENTS)) {
            while (rows.next()) {
                record.rooms
                        .computeIfAbsent(rows.getString(1), _ -> new ArrayList<>())
                        .add(new Event(rows.getString(2), rows.getString(3).equals(MESSAGE), rows.getString(4)));
            }
            return record;
        } catch (SQLException e) {
            throw new IllegalStateException("the events cannot be read", e);
        }
    }

    List<String> rooms() {
        return List.copyOf(rooms.keySet());
    }

    List<String> events(String room) {
        return rooms.getOrDefault(room, List.of()).stream().map(Event::id).toList();
    }

    long messages() {
        return rooms.values().stream()
                .flatMap(List::stream)
                .filter(Event::isMessage)
                .count();
    }

    /** Whether the events of each room are the first events of the same room in the later record. */
    boolean isBeginningOf(RoomRecord later) {
        return rooms.keySet().stream().allMatch(room -> {
            var ours = events(room);
            var theirs = later.events(room);
            return theirs.size() >= ours.size()
                    && theirs.subList(0, ours.size()).equals(ours);
        });
    }

    /** Recounts the messages of other users behind the user's receipt and the user's own last event. */
    long unread(String room, String user, String read) {
        long count = 0;
        for (var event : rooms.getOrDefault(room, List.of())) {
            if (event.id.equals(read) || event.sender.equals(user)) {
                count = 0;
            } else if (event.isMessage) {
                count++;
            }
        }
        return count;
    }
}
