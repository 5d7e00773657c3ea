// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.platform.tenant.TenantRegister;
import rookery.program.Complaint;

/** What deploy/backup and deploy/restore understand. */
class BackupOptionsTest {
    @Test
    void whatIsRestoredIsStartedWithAllItsTenants() {
        var tenants = TenantRegister.of(Map.of(1, "a.test", 2, TenantRegister.NOBODY, 3, "c.test", 4, "b.test"));

        assertThat(RestoreApplication.start(Path.of("/somewhere/data"), "a.test", tenants))
                .isEqualTo("deploy/run --data /somewhere/data --server-name a.test --tenant c.test --tenant b.test");
    }

    @Test
    void theCommandSaysOnlyWhatDiffersFromAPlainStart() {
        var one = TenantRegister.of(Map.of(1, "localhost"));

        assertThat(RestoreApplication.start(Path.of("/somewhere/data"), "localhost", one))
                .isEqualTo("deploy/run --data /somewhere/data");
        assertThat(RestoreApplication.start(Path.of("/some where/it's"), "localhost", one))
                .isEqualTo("deploy/run --data '/some where/it'\\''s'");
    }

    @TempDir
    private Path folder = Path.of("");

    private static BackupOptions parse(String... words) {
        return BackupOptions.parse(List.of(words), Path.of("data"));
    }

    @Test
    void aDataFolderUnlessADatabaseIsNamed() throws IOException {
        var password = Files.writeString(folder.resolve("password"), "secret\n");

        assertThat(parse("b.zip").data).isEqualTo(Path.of("data"));
        assertThat(parse("b.zip", "--data", "other").data).isEqualTo(Path.of("other"));
        assertThat(parse("b.zip", "--database", "db:5433/chat", "--user", "ada", "--password-file", password.toString())
                        .superuser())
                .isEqualTo(new Database("db", 5433, "chat", "ada", "secret"));
        assertThat(parse("b.zip", "--database", "db").superuser())
                .isEqualTo(new Database("db", 5432, "rookery", "postgres", ""));
    }

    @Test
    void aBackupGoesIntoANewFileOfAFolderThatIsThere() throws IOException {
        var there = Files.createFile(folder.resolve("there.zip"));

        assertThatThrownBy(() -> BackupApplication.requireNew(there)).hasMessageContaining("is there already");
        assertThatThrownBy(() -> BackupApplication.requireNew(folder.resolve("missing/new.zip")))
                .hasMessage("there is no folder %s: make it, or name a file in another one"
                        .formatted(folder.resolve("missing")));
        assertThatCode(() -> BackupApplication.requireNew(folder.resolve("new.zip")))
                .doesNotThrowAnyException();
    }

    @Test
    void passwordsOfRolesComeFromFiles() throws IOException {
        for (String service : Migrations.SERVICES) {
            Files.writeString(folder.resolve("database-" + Migrations.role(service)), "of " + service + "\n");
        }
        var roles = parse("b.zip", "--database", "db", "--passwords", folder.toString())
                .roles();
        assertThat(roles.password("push-service")).isEqualTo("of push-service");
        assertThatThrownBy(() -> parse("b.zip", "--database", "db").roles()).hasMessageContaining("--passwords");
    }

    @Test
    void whatIsNotUnderstoodIsSaid() {
        assertThat(parse("--help").file()).isNull();
        assertThatThrownBy(() -> parse("--data", "other"))
                .isInstanceOfSatisfying(
                        Complaint.class,
                        complaint -> assertThat(complaint.exitValue()).isEqualTo(2))
                .hasMessageContaining("name a file");
        assertThatThrownBy(() -> parse("a.zip", "b.zip")).hasMessageContaining("only one file");
        assertThatThrownBy(() -> parse("--fresh", "x")).hasMessageContaining("unknown option --fresh");
        assertThatThrownBy(() -> parse("--data")).hasMessageContaining("needs a value");
        assertThatThrownBy(() -> parse("b.zip", "--database", "db:x").superuser())
                .hasMessageContaining("HOST:PORT");
    }
}
