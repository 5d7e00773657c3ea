// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.program.Complaint;

class DataFolderTest {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void secretsStayAndOnlyTheirOwnerReadsThem() throws IOException {
        var first = installation(false);

        assertThat(installation(false)).isEqualTo(first);
        assertThat(first.internalKey()).hasSizeGreaterThanOrEqualTo(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder().resolve("rookery.properties"))))
                .isEqualTo("rw-------");
    }

    /** What was opened to others before is closed at the next start. */
    @Test
    void nobodyElseLooksIntoIt() throws IOException {
        installation(false);
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(folder().resolve("mail"), PosixFilePermissions.fromString("rwxrwxrwx"));

        installation(false);
        new InstanceFiles(folder().resolve("instances")).clear();

        for (var passed : List.of(folder(), folder().resolve("pg"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(passed)))
                    .isIn("rwx------", "rwx--x--x");
        }
        for (var name : List.of("logs", "config", "instances", "mail", "sms", "kafka", "redis")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder().resolve(name))))
                    .as(name)
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void freshForgetsEverything() throws IOException {
        var first = installation(false);
        Files.createDirectories(folder().resolve("pg").resolve("data"));

        var second = installation(true);

        assertThat(second.internalKey()).isNotEqualTo(first.internalKey());
        assertThat(folder().resolve("pg")).isEmptyDirectory();
    }

    @Test
    void freshDeletesNothingThatIsNotOurs() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("thesis.txt"), "years of work");

        assertComplaint(true, "localhost", "holds other things");
        assertThat(folder().resolve("thesis.txt")).hasContent("years of work");
        assertThat(folder().resolve("lock")).doesNotExist();
    }

    @Test
    void twoRunsDoNotShareAFolder() {
        try (var _ = DataFolder.open(folder(), false, "localhost")) {
            assertComplaint(
                    false,
                    "localhost",
                    "in use by another run (pid " + ProcessHandle.current().pid());
            assertComplaint(true, "localhost", "in use by another run");
        }
    }

    @Test
    void anotherServerNameIsRefused() {
        installation(false);

        assertComplaint(false, "chat.example", "--server-name localhost");
    }

    @Test
    void aNewerLayoutIsRefused() throws IOException {
        installation(false);
        var file = folder().resolve("rookery.properties");
        Files.writeString(file, Files.readString(file).replace("layout=1", "layout=2"));

        assertComplaint(false, "localhost", "newer version");
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws IOException {
        Files.writeString(temporary.resolve("data"), "a file");

        assertComplaint(false, "localhost", "cannot write to the data folder");
    }

    private void assertComplaint(boolean fresh, String serverName, String text) {
        assertThatThrownBy(() -> DataFolder.open(folder(), fresh, serverName).close())
                .isInstanceOfSatisfying(
                        Complaint.class,
                        complaint -> assertThat(complaint.exitValue()).isEqualTo(1))
                .hasMessageContaining(text)
                .message()
                .doesNotContain("\n");
    }

    private Installation installation(boolean fresh) {
        try (var folder = DataFolder.open(folder(), fresh, "localhost")) {
            return folder.installation();
        }
    }

    private Path folder() {
        return temporary.resolve("data");
    }
}
