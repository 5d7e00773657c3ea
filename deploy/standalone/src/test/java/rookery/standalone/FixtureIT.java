// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.TenantTables;
import rookery.embedded.TestServers;
import rookery.embedded.backup.Restore;

/**
 * This version takes over the data of every released version: migrations up to that version are unchanged, and later migrations
 * continue from there. {@code deploy/e2e/fixture} makes the files.
 */
@ResourceLock("passwords of the roles, which all databases of a server share")
class FixtureIT {
    private static final Map<String, String> PASSWORDS =
            Migrations.SERVICES.stream().collect(Collectors.toMap(service -> service, _ -> "secret"));

    static List<Path> fixtures() throws IOException, URISyntaxException {
        var folder = Path.of(Objects.requireNonNull(FixtureIT.class.getResource("fixtures.txt"))
                        .toURI())
                .getParent();
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("fixture-.*\\.zip"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void dataOfARelease(Path fixture) throws SQLException {
        var superuser = TestServers.postgres().superuser();
        var name = fixture.getFileName().toString().replace(".zip", "");
        Migrations.createDatabase(superuser, name);
        var database = superuser.named(name);

        var restored = Restore.into(database, PASSWORDS, fixture);

        assertThat(restored.leftOut()).isEmpty();
        var then = Objects.requireNonNull(restored.manifest().heads().get("room"));
        assertThat(then.entries()).isGreaterThan(10);
        assertThat(Objects.requireNonNull(restored.logs().get("room")).positions())
                .isEqualTo(then.positions());
        assertThat(count(database, "room.event e JOIN room.log l ON l.shard = e.shard AND l.pos = e.pos"))
                .as("each event has its text")
                .isEqualTo(count(database, "room.event"))
                .isGreaterThan(10);
        assertThat(count(database, "auth.account WHERE admin AND password_hash IS NOT NULL"))
                .isEqualTo(1);
        assertThat(count(database, "push.member")).isPositive();
        assertThat(count(database, "directory.follow WHERE pos > 0")).isPositive();
        assertThat(count(database, "room.tenant_name WHERE server_name = 'localhost'"))
                .as("its rows say whose they are")
                .isEqualTo(1);
        assertThat(TenantTables.united(database).names()).isEqualTo(Map.of(1, "localhost"));
    }

    private static long count(Database database, String what) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + what)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
