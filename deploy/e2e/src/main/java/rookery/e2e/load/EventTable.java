package rookery.e2e.load;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.e2e.checking.ShardLine;
import rookery.embedded.Database;

/** Looks into the database, past all services: what is true in the end. */
final class EventTable {
    /** As whom the checker sees the database. */
    static final String READER = "(the database)";

    private static final String EVENTS = """
            SELECT event_id FROM room.event WHERE tenant = ? AND room_id = ? ORDER BY pos
            """;

    /** The two logs have the same tables, in schemas of their own. All tenants share them. */
    private static final String SHARDS = """
            SELECT s.shard, s.pos, count(e.pos) AS entries,
                   coalesce(min(e.pos), 0) AS lowest, coalesce(max(e.pos), 0) AS highest,
                   (SELECT l.unit_end FROM %1$s.log_entry l WHERE l.shard = s.shard AND l.pos = s.pos) AS ends_unit
            FROM %1$s.shard s LEFT JOIN %1$s.log_entry e ON e.shard = s.shard
            GROUP BY s.shard, s.pos ORDER BY s.shard
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

    /** All shards of the log that the database's role owns. */
    static List<ShardLine> shards(Database database, String log) {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(SHARDS.replace("%1$s", database.username()))) {
            var lines = new ArrayList<ShardLine>();
            while (rows.next()) {
                boolean endsUnit = rows.getBoolean("ends_unit");
                boolean isEmpty = rows.wasNull();
                lines.add(new ShardLine(
                        log,
                        rows.getInt("shard"),
                        rows.getLong("pos"),
                        rows.getLong("entries"),
                        rows.getLong("lowest"),
                        rows.getLong("highest"),
                        isEmpty ? null : (Boolean) endsUnit));
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException("the shards of the %s log cannot be read".formatted(log), e);
        }
    }
}
