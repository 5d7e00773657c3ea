// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.directory.FakeRooms;
import rookery.directory.RunningDirectory;
import rookery.embedded.Database;
import rookery.embedded.TestServers;

/** Follows the room log with one, two and restarted instances, and after a restore. */
class RoomsMadeIT {
    private static final String ROOM = "!gggggggggggggggggg:one.example";
    private static final String ALIAS = "#name:one.example";

    private final Database database = TestServers.database("directory-service");
    private final FakeRooms rooms = new FakeRooms();

    @AfterEach
    void stop() {
        rooms.close();
    }

    @Test
    void instanceThatComesLaterGoesOnWhereAnotherStopped() {
        try (var directory = new RunningDirectory(database, rooms)) {
            reserve(directory);
            rooms.tellMade(1, ROOM);
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 1L)));
        }
        rooms.tellMade(1, "!second:one.example");
        try (var _ = new RunningDirectory(database, rooms)) {
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 2L)));
        }
    }

    @Test
    void twoInstancesFollowOneLog() {
        try (var directory = new RunningDirectory(database, rooms);
                var _ = new RunningDirectory(database, rooms)) {
            reserve(directory);
            for (int i = 0; i < 20; i++) {
                rooms.tellMade(1, "!other" + i + ":one.example");
            }
            rooms.tellMade(1, ROOM);
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 21L)));
            assertThat(find(directory)).isEqualTo(200);
        }
    }

    @Test
    void entryThatNobodyCanReadStopsNoOther() throws SQLException {
        try (var directory = new RunningDirectory(database, rooms)) {
            reserve(directory);
            rooms.tellRaw(1, "!odd:one.example", "m.room.create, but no JSON");
            rooms.tellMade(1, ROOM);
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 2L)));
            assertThat(isConfirmed()).isTrue();
        }
    }

    /** Stands for any failing statement, such as one that exceeds its timeout or violates a constraint. */
    @Test
    void unitThatCannotBeDerivedHoldsUpItsShardOnlyAndOnlyUntilItCan() throws SQLException {
        execute("ALTER TABLE directory.room ADD CONSTRAINT no_odd CHECK (room_id NOT LIKE '!odd%')");
        for (int i = 0; i < 10; i++) {
            rooms.tellMade(1, "!room" + i + ":one.example");
        }
        rooms.tellMade(1, "!odd:one.example");
        rooms.tellMade(1, "!behind:one.example");
        try (var _ = new RunningDirectory(database, rooms)) {
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 10L)));
            rooms.tellMadeElsewhere(1, "!elsewhere:one.example");
            await().untilAsserted(
                            () -> assertThat(made("!elsewhere:one.example")).isTrue());
            assertThat(made("!room9:one.example")).isTrue();
            assertThat(made("!behind:one.example")).isFalse();
            execute("ALTER TABLE directory.room DROP CONSTRAINT no_odd");
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 12L)));
            assertThat(made("!odd:one.example")).isTrue();
        }
    }

    @Test
    void afterARestoreNamesOfLostRoomsLeadNowhere() {
        try (var directory = new RunningDirectory(database, rooms)) {
            reserve(directory);
            rooms.tellMade(1, ROOM);
            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(1L, 1L)));
            assertThat(find(directory)).isEqualTo(200);

            rooms.restoreToNothing();

            await().untilAsserted(() -> assertThat(position()).isEqualTo(List.of(2L, 0L)));
            assertThat(find(directory)).isEqualTo(404);
        }
    }

    private static void reserve(RunningDirectory directory) {
        var reservation = "{\"tenant\":1,\"alias\":\"%s\",\"room_id\":\"%s\",\"creator\":\"@ada:one.example\"}"
                .formatted(ALIAS, ROOM);
        assertThat(directory.internal("POST", "/aliases/reserve", reservation).status())
                .isEqualTo(200);
    }

    private static int find(RunningDirectory directory) {
        return directory
                .internal("GET", "/aliases/%23name:one.example?tenant=1", null)
                .status();
    }

    private void execute(String statement) throws SQLException {
        try (var connection = database.connect();
                var plain = connection.createStatement()) {
            plain.execute(statement);
        }
    }

    private boolean made(String room) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT 1 FROM directory.room WHERE room_id = '" + room + "'")) {
            return rows.next();
        }
    }

    private boolean isConfirmed() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT reserved_until IS NULL FROM directory.alias")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /** Epoch and position of the shard that the fake log uses. */
    private List<Long> position() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT epoch, pos FROM directory.follow WHERE log = 'room-log' AND shard = 3")) {
            rows.next();
            return List.of(rows.getLong(1), rows.getLong(2));
        }
    }
}
