package rookery.e2e.load;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.embedded.Database;

/** Looks into the database, past all services: what is true in the end. */
final class EventTable {
    /** As whom the checker sees the database. */
    static final String READER = "(the database)";

    private static final String EVENTS = """
            SELECT event_id FROM room.event WHERE tenant = ? AND room_id = ? ORDER BY pos
            """;

    private EventTable() {}

    /** The ids of each room's events in their order. */
    static Map<String, List<String>> events(Database database, Crowd crowd) {
        var events = new HashMap<String, List<String>>();
        for (int i = 0; i < crowd.circles().size(); i++) {
            for (var room : crowd.circles().get(i).rooms()) {
                events.put(room, events(database, i + 1, room));
            }
        }
        return events;
    }

    private static List<String> events(Database database, int tenant, String room) {
        try (var connection = database.connect();
                var query = connection.prepareStatement(EVENTS)) {
            query.setInt(1, tenant);
            query.setString(2, room);
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
