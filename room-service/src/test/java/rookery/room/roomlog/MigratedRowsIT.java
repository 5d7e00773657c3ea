// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.TestServers;

/** What migrations make of the rows of before. */
class MigratedRowsIT {
    private final Database rooms = TestServers.database("room-service");
    private final Database superuser = TestServers.superuserOf(rooms);

    /** As the version before V31 left a database. */
    @BeforeEach
    void goBack() {
        rooms.execute(
                "DELETE FROM room.flyway_schema_history WHERE version::int >= 31",
                "ALTER TABLE room.event DROP COLUMN invalid_edit CASCADE",
                "CREATE INDEX event_edit ON room.event (tenant)",
                "ALTER TABLE room.media DROP COLUMN declared_type",
                "DROP TABLE room.report, room.preview, room.delayed_event, room.tenant_copy, room.import_state, room.event_day",
                "DROP TABLE room.redaction_job",
                "ALTER TABLE room.purged DROP COLUMN ended_ms, DROP COLUMN events_left");
        superuser.execute("DROP TABLE public.applied_migrations");
    }

    @Test
    void editsThatReplaceNothingAreMarked() throws SQLException {
        event(1, "m.room.message", "m.replace", "{\"m.new_content\":{\"body\":\"x\"}}");
        event(2, "m.room.message", "m.replace", "{\"body\":\"x\"}");
        event(3, "m.room.message", "m.replace", "{\"m.new_content\":\"x\"}");
        event(4, "m.room.encrypted", "m.replace", "{\"ciphertext\":\"x\"}");
        event(5, "m.room.message", "m.thread", "{\"body\":\"x\"}");
        event(6, "m.room.message", "m.replace", "{\"body\":\"\\u0000\",\"m.new_content\":{\"body\":\"x\"}}");
        event(7, "m.room.message", "m.replace", "{\"body\":\"\\u0000\"}");

        migrate();

        assertThat(column("SELECT pos, invalid_edit FROM room.event").toString())
                .isEqualTo("{1=f, 2=t, 3=t, 4=f, 5=f, 6=f, 7=t}");
    }

    private void event(int pos, String type, String relType, String content) {
        rooms.execute("""
                INSERT INTO room.event (tenant, room_id, pos, shard, event_id, type, sender, ts, rel_type, parent)
                VALUES (1, '!room', %1$d, 0, '$%1$d', '%2$s', '@ada', 0, '%3$s', '$parent')
                """.formatted(pos, type, relType), """
                INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, created_ms, body)
                VALUES (0, %d, 'event', true, 1, '!room', 0, '{}' || chr(10) || '{"content":%s}' || chr(10) || chr(10))
                """.formatted(pos, content));
    }

    @Test
    void wordsAreFoldedAndKoreanIsTakenApart() throws SQLException {
        words(1, "'straße':1,4 'größe':2 '@7' '!abcdefgh'");
        words(2, "'i\u0307stanbul':1 'ısı':2 'οδος':3 '@7' '!abcdefgh'");
        words(3, "'서울에서':2 'kbs뉴스':3 '서':1 '@7' '!abcdefgh'");
        words(4, "'plain':1 '黒い':2 '@7' '!abcdefgh'");

        migrate();

        assertThat(column("SELECT pos, words::text FROM room.search").values())
                .containsExactly(
                        vector("'strasse':1,4 'grösse':2 '@7' '!abcdefgh'"),
                        vector("'istanbul':1 'isi':2 'οδοσ':3 '@7' '!abcdefgh'"),
                        vector("'서울':2 '울에':2 '에서':2 '서':1,2 '울':2 '에':2 'kbs':3 '뉴스':3 '뉴':3 '스':3 '@7' '!abcdefgh'"),
                        vector("'plain':1 '黒い':2 '@7' '!abcdefgh'"));
    }

    private void words(int pos, String vector) {
        rooms.execute("""
                INSERT INTO room.search (tenant, room_id, pos, shard, key, url, sender, ts, words)
                VALUES (7, '!room', %d, 0, 1, false, '@ada', 0, $$%s$$)
                """.formatted(pos, vector));
    }

    /** As PostgreSQL orders it. */
    private String vector(String words) throws SQLException {
        return column("SELECT 0, ($$%s$$::tsvector)::text".formatted(words))
                .values()
                .iterator()
                .next();
    }

    private Map<Integer, String> column(String query) throws SQLException {
        var column = new TreeMap<Integer, String>();
        try (var connection = superuser.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                column.put(rows.getInt(1), rows.getString(2));
            }
        }
        return column;
    }

    private void migrate() {
        Migrations.apply(superuser, Map.of("room-service", rooms.password()));
    }
}
