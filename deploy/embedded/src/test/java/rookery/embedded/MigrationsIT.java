// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MigrationsIT {
    @Test
    void aServiceOwnsItsSchemaAndWorksInIt() throws SQLException {
        var database = TestServers.database("sample-service");

        database.execute("INSERT INTO sample.note VALUES (1, 'by its role')");

        assertThat(EmbeddedPostgresIT.answer(database, "SELECT text FROM note")).isEqualTo("by its role");
        assertThat(EmbeddedPostgresIT.answer(database, "SELECT current_user")).isEqualTo("sample");
    }

    @Test
    void databasesOfTwoTestsDoNotMeet() throws SQLException {
        TestServers.database("sample-service").execute("INSERT INTO note VALUES (1, 'mine')");

        var other = TestServers.database("sample-service");

        assertThat(EmbeddedPostgresIT.answer(other, "SELECT count(*) FROM note"))
                .isEqualTo("0");
    }

    @Test
    void migratingAgainKeepsTheData() throws SQLException {
        var database = TestServers.database("sample-service");
        database.execute("INSERT INTO note VALUES (1, 'kept')");

        Migrations.apply(TestServers.superuserOf(database), "sample-service", database.password());

        assertThat(EmbeddedPostgresIT.answer(database, "SELECT text FROM note")).isEqualTo("kept");
    }

    @Test
    void dataOfANewerVersionIsRefused() {
        var database = TestServers.database("sample-service");
        database.execute("""
                INSERT INTO sample.flyway_schema_history
                    (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                VALUES (2, '2', 'from the future', 'SQL', 'V2__future.sql', 1, 'sample', 1, true)
                """);

        assertThatThrownBy(() ->
                        Migrations.apply(TestServers.superuserOf(database), "sample-service", database.password()))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("newer version")
                .hasMessageContaining("sample-service is at V2");
    }

    @Test
    void failureNamesTheServiceAndTheReason() {
        assertThatThrownBy(() -> TestServers.database("broken-service"))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("broken-service")
                .hasMessageContaining("nonsense");
    }
}
