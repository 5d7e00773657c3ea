// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.embedded.Database;

/** Reads the events of rooms from the database. */
final class EventTable {
    /** The name of the database among the clients of a history. */
    static final String READER = "(the database)";

    private static final String EVENTS = """
            SELECT event_id FROM room.event JOIN room.tenant_name USING (tenant)
             WHERE room_id = ? AND server_name = substr(room_id, strpos(room_id, ':') + 1) ORDER BY pos
            """;

    private EventTable() {}

    /** The event ids of each room, in the order of the log. */
    static Map<String, List<String>> events(Database database, Crowd crowd) {
        var events = new HashMap<String, List<String>>();
        for (var circle : crowd.circles()) {
            for (var room : circle.rooms()) {
                events.put(room, events(database, room));
            }
        }
        return events;
    }

    private static List<String> events(Database database, String room) {
        try (var connection = database.connect();
                var query = connection.prepareStatement(EVENTS)) {
            query.setString(1, room);
            var ids = new ArrayList<String>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException("the events of %s cannot be read".formatted(room), e);
        }
    }
}
