// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NothingLeftBehindIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    enum End {
        ORDERLY,
        KILLED
    }

    @ParameterizedTest
    @EnumSource
    void theServersDieWithTheJvmThatStartedThem(End end) throws IOException {
        var jvm = start();
        try (var out = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            var pids = Stream.of(out.readLine().split(" ")).map(Long::valueOf).toList();
            assertThat(pids).hasSize(3).allMatch(NothingLeftBehindIT::runs);
            var folder =
                    Path.of("target", "test-servers", Long.toString(jvm.pid())).toAbsolutePath();
            assertThat(Leftovers.pids(folder, "postgres")).hasSizeGreaterThan(1);

            switch (end) {
                case ORDERLY -> jvm.getOutputStream().close();
                case KILLED -> jvm.destroyForcibly();
            }

            assertThat(Deadline.in(PATIENCE)
                            .until(() -> pids.stream().noneMatch(NothingLeftBehindIT::runs)
                                    && Leftovers.pids(folder, "postgres").isEmpty()
                                    && !jvm.isAlive()))
                    .isTrue();
            assertThat(Files.exists(folder)).isEqualTo(end == End.KILLED);
            Folders.delete(folder);
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ThreeServersApplication.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A zombie that a killed parent left runs no more, though its id is still taken. */
    private static boolean runs(long pid) {
        try {
            var state = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return state.charAt(state.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false;
        }
    }
}
