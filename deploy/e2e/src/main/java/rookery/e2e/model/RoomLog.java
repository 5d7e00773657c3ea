// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Database;
import rookery.model.id.TenantId;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;
import tools.jackson.databind.json.JsonMapper;

/** Reads the events in commit order from the database. */
final class RoomLog {
    private static final String ENTRIES = """
            SELECT room_id, shard, pos, unit_end, body FROM room.log_entry
             WHERE tenant = ? AND room_id = ANY (?) AND kind = 'event' ORDER BY shard, pos
            """;

    private RoomLog() {}

    static Map<String, RoomStory> read(Database database, TenantId tenant, Collection<String> rooms) {
        var events = new LinkedHashMap<String, List<Event>>();
        var shards = new LinkedHashMap<String, Integer>();
        try (var connection = database.connect();
                var query = connection.prepareStatement(ENTRIES)) {
            query.setInt(1, tenant.value());
            query.setArray(2, connection.createArrayOf("text", rooms.toArray()));
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    var room = rows.getString(1);
                    shards.put(room, rows.getInt(2));
                    events.computeIfAbsent(room, _ -> new ArrayList<>())
                            .add(event(rows.getLong(3), rows.getBoolean(4), rows.getString(5)));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the log cannot be read", e);
        }
        var stories = new LinkedHashMap<String, RoomStory>();
        events.forEach((room, all) -> stories.put(room, new RoomStory(room, shards.getOrDefault(room, -1), all)));
        return stories;
    }

    private static Event event(long pos, boolean endsUnit, String body) {
        if (!(RoomLogText.read(RoomLogRecord.EVENT, body) instanceof EventAppended appended)) {
            throw new IllegalStateException("no event at " + pos);
        }
        var json = JsonMapper.shared().readTree(appended.eventJson());
        return new Event(
                pos,
                json.path("event_id").asString(),
                json.path("type").asString(),
                text(json.path("state_key").asString(null)),
                json.path("sender").asString(),
                json.path("content"),
                text(json.path("redacts").asString(null)),
                endsUnit);
    }

    private static @Nullable String text(@Nullable String value) {
        return value;
    }
}
