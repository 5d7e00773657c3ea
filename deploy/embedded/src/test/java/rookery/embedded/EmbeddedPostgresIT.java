// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedPostgresIT {
    @ParameterizedTest
    @ValueSource(strings = {"fsync", "synchronous_commit", "full_page_writes", "data_checksums"})
    void whatACommitPromisesIsOn(String setting) throws SQLException {
        assertThat(answer(TestServers.postgres().superuser(), "SHOW " + setting))
                .isEqualTo("on");
    }

    @Test
    void committedRowSurvivesKill() throws SQLException {
        try (var postgres = start("killed")) {
            var database = postgres.superuser();
            database.execute("CREATE TABLE note (text text)", "INSERT INTO note VALUES ('kept')");
            int port = postgres.port();

            postgres.kill();
            postgres.startAgain();

            assertThat(postgres.port()).isEqualTo(port);
            assertThat(answer(database, "SELECT text FROM note")).isEqualTo("kept");
        }
    }

    @Test
    void nobodyElseReadsWhatItPrints() throws IOException {
        assertThat(Files.getPosixFilePermissions(TestServers.postgres().child().log()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void theSameFolderIsTheSameData() throws SQLException {
        var folder = TestServers.folder("reopened");
        var binaries = TestServers.binaries();
        try (var postgres = EmbeddedPostgres.start(folder, binaries)) {
            postgres.superuser().execute("CREATE TABLE note (text text)", "INSERT INTO note VALUES ('kept')");
        }
        try (var postgres = EmbeddedPostgres.start(folder, binaries)) {
            assertThat(answer(postgres.superuser(), "SELECT text FROM note")).isEqualTo("kept");
        }
    }

    @Test
    void processIdOfAnotherProcessDoesNotKeepItFromStarting() throws SQLException {
        var folder = TestServers.folder("stale");
        var binaries = TestServers.binaries();
        try (var postgres = EmbeddedPostgres.start(folder, binaries)) {
            postgres.kill();
            Folders.write(
                    folder.resolve("data").resolve("postmaster.pid"),
                    ProcessHandle.current().pid() + "\n");
        }
        try (var postgres = EmbeddedPostgres.start(folder, binaries)) {
            assertThat(answer(postgres.superuser(), "SELECT 'up'")).isEqualTo("up");
        }
    }

    @Test
    void nobodyEntersWithoutThePassword() {
        var database = TestServers.postgres().superuser();
        assertThat(List.of(database.as("postgres", ""), database.as("postgres", "guess")))
                .allSatisfy(guess -> assertThat(catchMessage(guess)).contains("password"));
    }

    private static EmbeddedPostgres start(String name) {
        return EmbeddedPostgres.start(TestServers.folder(name), TestServers.binaries());
    }

    private static String catchMessage(Database database) {
        try (var connection = database.connect()) {
            return "entered " + connection;
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    static String answer(Database database, String question) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }
}
