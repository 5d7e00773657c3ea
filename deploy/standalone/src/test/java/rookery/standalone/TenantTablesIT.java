// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.TenantTables;
import rookery.embedded.TestServers;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.TenantRegister;
import rookery.platform.tenant.TenantsRefusedException;

/** A tenant is known by its name and not by the place of a flag: what the launcher and {@code prepare} read and write. */
@ResourceLock("passwords of the roles, which all databases of a server share")
class TenantTablesIT {
    private final Database database = TestServers.superuserOf(
            TestServers.databases(Migrations.SERVICES.toArray(String[]::new)).getFirst());

    private Map<Integer, String> numbered(String... names) {
        return TenantTables.numbered(
                        database, Stream.of(names).map(ServerName::new).toList())
                .names();
    }

    private static Tenant tenant(int number, String name) {
        return new Tenant(new TenantId(number), new ServerName(name));
    }

    @Test
    void eachNameKeepsItsNumberWhateverIsLeftOutSwappedAddedOrRenamed() {
        assertThat(numbered("localhost", "a.test", "b.test"))
                .isEqualTo(Map.of(1, "localhost", 2, "a.test", 3, "b.test"));

        assertThat(numbered("localhost", "b.test")).as("left out").containsEntry(3, "b.test");
        assertThat(numbered("localhost", "b.test", "a.test")).as("swapped").containsEntry(2, "a.test");
        assertThat(numbered("localhost", "c.test")).as("renamed").containsEntry(4, "c.test");
        assertThat(numbered("localhost", "d.test", "a.test"))
                .as("added")
                .isEqualTo(Map.of(1, "localhost", 2, "a.test", 3, "b.test", 4, "c.test", 5, "d.test"));
    }

    @Test
    void allServicesKnowWhatOneKnows() {
        database.execute("INSERT INTO auth.tenant_name VALUES (1, 'localhost'), (2, 'a.test')");

        TenantTables.united(database);

        for (var service : Migrations.SERVICES) {
            assertThat(database.texts("SELECT tenant || server_name FROM %s.tenant_name ORDER BY tenant"
                            .formatted(Migrations.role(service))))
                    .as(service)
                    .containsExactly("1localhost", "2a.test");
        }
    }

    @Test
    void aConfigurationThatContradictsTheDataWritesNothing() {
        TenantTables.bound(database, List.of(tenant(1, "localhost"), tenant(2, "a.test")));

        assertThatThrownBy(() -> TenantTables.bound(database, List.of(tenant(2, "b.test"), tenant(3, "c.test"))))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessage("rookery.tenants: the number 2 is that of a.test in the data of the database: set the id of"
                        + " b.test, which is new there, to 4");
        assertThat(TenantTables.united(database).names()).isEqualTo(Map.of(1, "localhost", 2, "a.test"));
    }

    /** Number 2 was a.test's until a start without its flag gave it to b.test, which had number 3 before and after. */
    @Test
    void rowsOfBeforeSayWhoseTheyAreAndTheOldestAccountDecides() throws IOException {
        database.execute(
                "INSERT INTO auth.account (tenant, user_id, created_at) VALUES"
                        + " (1, '@ada:chat.example:8448', now()), (2, '@alice:a.test', now() - interval '9 days'),"
                        + " (2, '@carol:b.test', now()), (3, '@bob:b.test', now() - interval '8 days')",
                room(2, "!x:a.test"),
                room(2, "!y:b.test"),
                room(3, "!z:b.test"));

        takeOver();

        assertThat(database.texts("SELECT tenant || server_name FROM room.tenant_name"))
                .as("of number 2 and of b.test the rooms say two things")
                .isEmpty();
        assertThat(TenantTables.united(database).names())
                .isEqualTo(Map.of(1, "chat.example:8448", 2, "a.test", 3, "b.test"));
    }

    @Test
    void aNameHasOneNumberAndNobodyGetsTheOther() throws IOException {
        database.execute(
                "INSERT INTO auth.account (tenant, user_id, created_at) VALUES (2, '@bob:b.test', now() - interval '9 days'),"
                        + " (3, '@carol:b.test', now())",
                room(3, "!z:b.test"),
                room(2, "!y:b.test"));

        takeOver();

        assertThat(TenantTables.united(database).names()).isEqualTo(Map.of(2, "b.test", 3, TenantRegister.NOBODY));
        assertThat(numbered("localhost", "c.test")).containsEntry(4, "c.test");
    }

    private static String room(int tenant, String room) {
        return "INSERT INTO room.room (tenant, room_id, shard, creator, created_ms, state_pos, joined, invited)"
                + " VALUES (%d, '%s', 1, '@x:y', 1, 1, 1, 0)".formatted(tenant, room);
    }

    /** The migrations of existing rows. */
    private void takeOver() throws IOException {
        for (var service : List.of("auth", "room")) {
            var folder =
                    Path.of("..", "..", service + "-service", "src/main/resources/db/migration", service + "-service");
            try (var files = Files.newDirectoryStream(folder, "*__tenant_names.sql")) {
                var migration = Files.readString(files.iterator().next());
                database.execute(
                        "TRUNCATE %s.tenant_name".formatted(service), migration.split(";\n", 2)[1]);
            }
        }
    }

    @Test
    void dataThatDoNotAgreeAreServedToNobody() {
        database.execute(
                "INSERT INTO auth.tenant_name VALUES (2, 'a.test')",
                "INSERT INTO room.tenant_name VALUES (2, 'b.test')");

        assertThatThrownBy(() -> TenantTables.united(database))
                .hasMessage("the data of room-service have the number 2 for b.test and those of other services 2 for"
                        + " a.test, so an older version was started with other tenants in between: restore a backup of"
                        + " before that");
    }

    @Test
    void ofTwoAtOnceEachNewNameGetsANumberOfItsOwn() throws Exception {
        Callable<TenantRegister> one =
                () -> TenantTables.numbered(database, List.of(new ServerName("localhost"), new ServerName("a.test")));
        Callable<TenantRegister> other =
                () -> TenantTables.numbered(database, List.of(new ServerName("localhost"), new ServerName("b.test")));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<TenantRegister> each : threads.invokeAll(List.of(one, other, one, other))) {
                assertThat(each.get().names()).containsEntry(1, "localhost");
            }
        }
        assertThat(TenantTables.united(database).names().values()).hasSize(3).contains("a.test", "b.test");
    }
}
