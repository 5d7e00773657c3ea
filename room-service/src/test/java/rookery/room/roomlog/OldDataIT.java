// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.TestServers;
import rookery.model.id.Shards;

/** The migration of rooms of Rookery 0.1, which are on other shards (design.md 12, Shards). */
class OldDataIT {
    private final Database rooms = TestServers.database("room-service");
    private final Database superuser = TestServers.superuserOf(rooms);

    /** As the last version with 16 shards left a database. */
    @BeforeEach
    void goBack() {
        rooms.execute(
                "DELETE FROM room.flyway_schema_history WHERE version::int >= 13",
                "DROP VIEW room.room_of_user, room.current_state, room.current_member, room.member_history",
                "DROP VIEW room.event_text, room.entry_body, room.unredacted_event",
                "ALTER TABLE room.event DROP COLUMN invalid_edit",
                "CREATE INDEX event_edit ON room.event (tenant)",
                "DROP TABLE room.media, room.media_usage, room.media_thumbnail, room.media_put, room.media_reference",
                "ALTER TABLE room.profile DROP COLUMN avatar_media",
                "DROP TABLE room.tenant_name, room.report, room.preview, room.delayed_event, room.tenant_copy, room.import_state",
                "DROP TABLE room.event_day, room.redaction_job",
                "ALTER TABLE room.purged DROP COLUMN ended_ms, DROP COLUMN events_left",
                "ALTER TABLE room.room DROP COLUMN state_bytes",
                "DROP TABLE room.device_list_change",
                "DROP TABLE room.device_list",
                "DROP INDEX room.state_of_members_since",
                "ALTER TABLE room.epoch DROP COLUMN previous",
                "DROP VIEW room.log",
                "DROP TABLE room.receipt_entry",
                "DELETE FROM room.shard WHERE shard > 15",
                "DELETE FROM room.follow WHERE shard > 15");
        superuser.execute("DROP TABLE public.applied_migrations");
    }

    @Test
    void roomsOfBeforeAreRefusedWithOneLine() {
        rooms.execute("UPDATE room.shard SET pos = 1 WHERE shard = 3");
        assertThatThrownBy(this::migrate)
                .isInstanceOf(ServerException.class)
                .hasMessage(
                        "the rooms in this database were written by Rookery 0.1, whose shards are others, and cannot be taken over: "
                                + "start with an empty database or data folder");
    }

    @Test
    void databaseWithoutRoomsGetsTheNewShards() throws SQLException {
        migrate();
        try (var connection = superuser.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*), min(epoch), max(shard) FROM room.shard")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(Shards.COUNT);
            assertThat(rows.getInt(2)).isEqualTo(1);
            assertThat(rows.getInt(3)).isEqualTo(Shards.COUNT - 1);
        }
    }

    private void migrate() {
        Migrations.apply(superuser, Map.of("room-service", rooms.password()));
    }
}
