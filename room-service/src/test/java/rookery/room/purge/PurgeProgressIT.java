// SPDX-License-Identifier: Apache-2.0
package rookery.room.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.sql.RoomRemoval;
import rookery.room.RoomDatabase;
import rookery.room.purge.PurgeQueue.PurgedRoom;
import rookery.room.table.PurgeProperties;
import rookery.room.table.Purges;

/** What the row of a purge says about the removal of a large room, on a real database. */
class PurgeProgressIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final int EVENTS = 100_000;

    private final DatabaseClient db = RoomDatabase.fresh();
    private final PurgedRows rows = new PurgedRows(db);
    private final PurgedRoom room = new PurgedRoom(new TenantId(1), new RoomId("!large:example.org"), 3, 1, EVENTS + 1);

    @Test
    void eventsLeftBecomeFewerWithEachPortionAndTheEndIsRecorded() {
        run("""
            INSERT INTO room.event (tenant, room_id, pos, shard, event_id, type, sender, ts)
            SELECT 1, '!large:example.org', n, 3, '$' || n, 'm.room.message', '@ada:example.org', n
              FROM generate_series(1, 100000) n
            """);
        run("""
            INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, created_ms, body)
            SELECT 3, n, 'event', true, 1, '!large:example.org', n, 'body' FROM generate_series(1, 100000) n
            """);
        run("""
            INSERT INTO room.purged (tenant, room_id, shard, epoch, pos, purged_by, purged_ms, due_ms)
            VALUES (1, '!large:example.org', 3, 1, 100001, '@root:example.org', 1000, 1000)
            """);
        assertThat(number("events_left")).isNull();

        rows.count(room).block(PATIENCE);
        assertThat(number("events_left")).isEqualTo(EVENTS);
        rows.portion(room).block(PATIENCE);
        assertThat(number("events_left")).isEqualTo(EVENTS - RoomRemoval.PORTION);
        rows.count(room).block(PATIENCE);
        assertThat(number("events_left"))
                .as("a removal that goes on does not count again")
                .isEqualTo(EVENTS - RoomRemoval.PORTION);

        int portions = 1;
        while (Objects.requireNonNull(rows.portion(room).block(PATIENCE)) > 0) {
            portions++;
            assertThat(number("events_left")).isEqualTo(EVENTS - portions * (long) RoomRemoval.PORTION);
        }
        assertThat(portions).isEqualTo(EVENTS / RoomRemoval.PORTION);
        assertThat(number("events_left")).isZero();
        assertThat(number("ended_ms")).isNull();

        var properties = new PurgeProperties(Duration.ofMillis(500), Duration.ofSeconds(15), Duration.ofSeconds(30));
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        new PurgeQueue(db, clock, new Purges(db, clock, properties), properties)
                .finish(room)
                .block(PATIENCE);
        assertThat(number("ended_ms")).isEqualTo(NOW.toEpochMilli());
        assertThat(number("due_ms")).isNull();
    }

    @Test
    void aRoomThatIsTooLargeToBeCountedIsNotCountedAgain() {
        run("""
            INSERT INTO room.purged (tenant, room_id, shard, epoch, pos, purged_by, purged_ms, due_ms)
            VALUES (1, '!large:example.org', 3, 1, 100001, '@root:example.org', 1000, 1000)
            """);
        rows.setUncounted(room).block(PATIENCE);
        rows.count(room).block(PATIENCE);
        assertThat(number("events_left")).isEqualTo(-1);
    }

    private void run(String sql) {
        db.sql(sql).then().block(PATIENCE);
    }

    private @Nullable Long number(String column) {
        return db.sql("SELECT " + column + " AS number FROM room.purged WHERE room_id = '!large:example.org'")
                .map(row -> Optional.ofNullable(row.get("number", Long.class)))
                .one()
                .blockOptional(PATIENCE)
                .orElseThrow()
                .orElse(null);
    }
}
