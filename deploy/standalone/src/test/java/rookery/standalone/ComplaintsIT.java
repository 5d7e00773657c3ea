// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.embedded.Ports;

/** The error messages of wrong starts. */
class ComplaintsIT {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void unknownOptionIsAQuestionOfUsage() throws Exception {
        assertEnds(2, "deploy/run: unknown option --prot", "--prot");
    }

    @Test
    void helpNamesEveryOption() throws Exception {
        try (var launcher = new LauncherProcess("--help")) {
            assertThat(String.join("\n", launcher.printedToTheEnd()))
                    .contains("--port", "--data", "--fresh", "--server-name", "--max-requests", "--cluster");
            assertThat(launcher.exitValue()).isZero();
        }
    }

    @Test
    void takenPortIsSaidBeforeAnythingStarts() throws Exception {
        try (var taken = new ServerSocket(0)) {
            assertEnds(
                    1,
                    "deploy/run: port %d is taken".formatted(taken.getLocalPort()),
                    "--port=" + taken.getLocalPort(),
                    "--data=" + data());
        }
        assertThat(data()).doesNotExist();
    }

    @Test
    void folderOfAnotherRunIsRefused() throws Exception {
        try (var _ = DataFolder.open(data(), false, "localhost")) {
            var pid = Long.toString(ProcessHandle.current().pid());
            assertEnds(
                    1,
                    "deploy/run: the data folder %s is in use by another run (pid %s)".formatted(data(), pid),
                    "--port=" + Ports.free(),
                    "--data=" + data());
        }
    }

    private Path data() {
        return temporary.resolve("data");
    }

    private static void assertEnds(int exitValue, String start, String... options) throws Exception {
        try (var launcher = new LauncherProcess(options)) {
            assertThat(launcher.printedToTheEnd()).singleElement().asString().startsWith(start);
            assertThat(launcher.exitValue()).isEqualTo(exitValue);
        }
    }
}
