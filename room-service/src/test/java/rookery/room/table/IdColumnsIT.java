// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** Ids as parameters and columns of real statements: what {@code rookery.platform.sql.IdCodecs} promises. */
class IdColumnsIT {
    private static final TenantId TENANT = new TenantId(7);
    private static final RoomId ROOM = new RoomId("!room:example.org");
    private static final EventId EVENT = new EventId("$event");
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final UserId BOB = new UserId("@bob:example.org");

    private final DatabaseClient db = client(TestServers.database("room-service"));

    private static DatabaseClient client(Database database) {
        return DatabaseClient.create(ConnectionFactories.get(ConnectionFactoryOptions.parse(database.r2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build()));
    }

    private record Ids(TenantId tenant, RoomId room, EventId event, UserId user) {}

    @Test
    void idsAreBoundAndRead() {
        var ids = db.sql("SELECT :tenant::int AS tenant, :room AS room, :event::text AS event, :user::text AS sender")
                .bind("tenant", TENANT)
                .bind("room", ROOM)
                .bind("event", EVENT)
                .bind("user", ADA)
                .map(row -> new Ids(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "room", RoomId.class),
                        RequiredColumn.of(row, "event", EventId.class),
                        RequiredColumn.of(row, "sender", UserId.class)))
                .one()
                .block();
        assertThat(ids).isEqualTo(new Ids(TENANT, ROOM, EVENT, ADA));
    }

    @Test
    void aSingleColumnIsMappedToAnId() {
        var rooms = db.sql("SELECT :room::text")
                .bind("room", ROOM)
                .mapValue(RoomId.class)
                .all()
                .collectList()
                .block();
        assertThat(rooms).containsExactly(ROOM);
    }

    @Test
    void nullsAreBoundAndRead() {
        var isNull = db.sql("SELECT :room::text AS room, :tenant::int AS tenant, :users::text[] AS users")
                .bindNull("room", RoomId.class)
                .bindNull("tenant", TenantId.class)
                .bindNull("users", UserId[].class)
                .map(row -> row.get("room", RoomId.class) == null
                        && row.get("tenant", TenantId.class) == null
                        && row.get("users", UserId[].class) == null)
                .one()
                .block();
        assertThat(isNull).isTrue();
    }

    @Test
    void arraysKeepTheirOrderAndTheirNulls() {
        var users = new UserId[] {BOB, null, ADA};
        var read = db.sql("SELECT :users::text[] AS users, :tenants::int[] AS tenants")
                .bind("users", users)
                .bind("tenants", new TenantId[] {TENANT})
                .map(row -> List.of(
                        Arrays.asList(RequiredColumn.of(row, "users", UserId[].class)),
                        Arrays.asList(RequiredColumn.of(row, "tenants", TenantId[].class))))
                .one()
                .block();
        assertThat(read).containsExactly(Arrays.asList(users), List.of(TENANT));
    }

    @Test
    void anEmptyArrayStaysEmpty() {
        var users = db.sql("SELECT :users::text[] AS users")
                .bind("users", new UserId[0])
                .map(row -> RequiredColumn.of(row, "users", UserId[].class))
                .one()
                .block();
        assertThat(users).isEmpty();
    }

    @Test
    void aColumnWithoutAnIdIsAFaultOfTheServer() {
        var read = db.sql("SELECT 'ada' AS sender")
                .map(row -> RequiredColumn.of(row, "sender", UserId.class))
                .one();
        assertThatThrownBy(read::block)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasNoCause()
                .hasMessage("a column holds no UserId: a user id begins with @");
    }

    @Test
    void parametersHaveTheTypesOfTheirPlainValues() {
        assertThat(types(TENANT, ROOM, new UserId[] {ADA}, new TenantId[] {TENANT}))
                .isEqualTo(
                        types(TENANT.value(), ROOM.value(), new String[] {ADA.value()}, new Integer[] {TENANT.value()}))
                .containsExactly("integer", "character varying", "text[]", "integer[]");
    }

    private List<String> types(Object... values) {
        return Arrays.stream(values)
                .map(value -> Objects.requireNonNull(db.sql("SELECT pg_typeof(:value)::text")
                        .bind("value", value)
                        .mapValue(String.class)
                        .one()
                        .block()))
                .toList();
    }

    @Test
    void idsAreLookedUpInTheSameIndex() {
        assertThat(plan(TENANT, ROOM))
                .isEqualTo(plan(TENANT.value(), ROOM.value()))
                .anyMatch(
                        line -> line.contains("Index Cond: ((tenant = 7) AND (room_id = '!room:example.org'::text))"));
    }

    private List<String> plan(Object tenant, Object room) {
        return Objects.requireNonNull(
                db.sql("EXPLAIN (COSTS OFF) SELECT * FROM room.room WHERE tenant = :tenant AND room_id = :room")
                        .bind("tenant", tenant)
                        .bind("room", room)
                        .mapValue(String.class)
                        .all()
                        .collectList()
                        .block());
    }
}
