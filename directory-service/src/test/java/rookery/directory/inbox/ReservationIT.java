// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static rookery.directory.RunningDirectory.ONE;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.directory.FakeRooms;
import rookery.directory.RunningDirectory;
import rookery.directory.RunningDirectory.Answer;
import rookery.embedded.Database;
import rookery.embedded.TestServers;

/** Aliases of rooms under creation: reserved, confirmed by the log or on demand, and never lost in a crash (design.md 2). */
class ReservationIT {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static Database database;
    private static FakeRooms rooms;
    private static RunningDirectory one;
    private static RunningDirectory two;

    private final String room = "!eeeeeeeeeeeeeeeeee" + NUMBER.incrementAndGet() + ":one.example";
    private final String otherRoom = "!ffffffffffffffffff" + NUMBER.get() + ":one.example";
    private final String alias = "#name" + NUMBER.get() + ":one.example";

    @BeforeAll
    static void start() {
        database = TestServers.database("directory-service");
        rooms = new FakeRooms();
        one = new RunningDirectory(database, rooms);
        two = new RunningDirectory(database, rooms);
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        rooms.close();
    }

    @Test
    void reservedNameIsNobodyElsesAndLeadsNowhereYet() {
        assertThat(reserve(one, room).body().toString()).isEqualTo("{}");

        assertThat(reserve(two, otherRoom).errcode()).isEqualTo("M_ROOM_IN_USE");
        assertThat(find(two).errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(reserve(two, room).status())
                .as("asked again after a lost answer")
                .isEqualTo(200);
    }

    @Test
    void nameIsFoundAsSoonAsItsRoomExists() {
        reserve(one, room);
        rooms.make(1, room, false);

        assertThat(find(two).body().toString()).isEqualTo("{\"room_id\":\"" + room + "\"}");
        assertThat(one.call(ONE.nobody(), "GET", "/v3/directory/room/" + encoded(), null)
                        .status())
                .isEqualTo(200);
        assertThat(reserve(one, otherRoom).errcode()).isEqualTo("M_ROOM_IN_USE");
    }

    @Test
    void releasedNameIsFree() {
        reserve(one, room);
        assertThat(release(room).body().toString()).isEqualTo("{}");

        assertThat(reserve(two, otherRoom).status()).isEqualTo(200);
        assertThat(release(room).status()).isEqualTo(200);
        assertThat(reserve(two, room).errcode())
                .as("released again, but by then another's")
                .isEqualTo("M_ROOM_IN_USE");
    }

    @Test
    void expiredReservationWithoutItsRoomIsFree() {
        reserve(one, room);
        expire();

        assertThat(find(one).errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(reserve(two, otherRoom).status()).isEqualTo(200);
    }

    @Test
    void expiredReservationWhoseRoomExistsStays() {
        reserve(one, room);
        expire();
        rooms.make(1, room, false);

        assertThat(reserve(two, otherRoom).errcode()).isEqualTo("M_ROOM_IN_USE");
        assertThat(find(two).status()).isEqualTo(200);
    }

    @Test
    void logConfirmsWithoutAnybodyAsking() {
        reserve(one, room);
        rooms.tell(1, "!unrelated:one.example", "m.room.name");
        rooms.tellMade(1, room);

        await().untilAsserted(() -> assertThat(isConfirmed()).isTrue());
        assertThat(find(one).status()).as("room-service is not asked any more").isEqualTo(200);
    }

    @Test
    void anotherTenantsRoomOfTheSameIdConfirmsNothing() throws SQLException {
        var later = "!later" + NUMBER.get() + ":one.example";
        var laterAlias = alias.replace("name", "later");
        reserve(one, room);
        one.internal("POST", "/aliases/reserve", reservation(laterAlias, later));
        rooms.tellMade(2, room);
        rooms.tellMade(1, later);

        await().untilAsserted(() -> assertThat(isConfirmed(laterAlias)).isTrue());
        assertThat(isConfirmed()).isFalse();
    }

    @Test
    void reservedNamesOfOtherServersAreRefused() {
        var foreign = one.internal("POST", "/aliases/reserve", reservation("#a:two.example", room));
        assertThat(foreign.errcode()).isEqualTo("M_INVALID_PARAM");
    }

    private Answer reserve(RunningDirectory instance, String forRoom) {
        return instance.internal("POST", "/aliases/reserve", reservation(alias, forRoom));
    }

    private Answer release(String ofRoom) {
        return one.internal("POST", "/aliases/release", reservation(alias, ofRoom));
    }

    private Answer find(RunningDirectory instance) {
        return instance.internal("GET", "/aliases/" + encoded() + "?tenant=1", null);
    }

    private String encoded() {
        return alias.replace("#", "%23");
    }

    private static String reservation(String alias, String room) {
        return "{\"tenant\":1,\"alias\":\"%s\",\"room_id\":\"%s\",\"creator\":\"@ada:one.example\"}"
                .formatted(alias, room);
    }

    private void expire() {
        database.execute("UPDATE directory.alias SET reserved_until = now() - interval '1 second' WHERE alias = '%s'"
                .formatted(alias));
    }

    private boolean isConfirmed() throws SQLException {
        return isConfirmed(alias);
    }

    private static boolean isConfirmed(String name) throws SQLException {
        try (var connection = database.connect();
                var query = connection.prepareStatement(
                        "SELECT reserved_until IS NULL FROM directory.alias WHERE alias = ?")) {
            query.setString(1, name);
            try (var rows = query.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }
}
