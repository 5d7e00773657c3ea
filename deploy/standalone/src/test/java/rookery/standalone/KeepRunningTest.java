// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.embedded.Deadline;

/** What deploy/run does when its JVM ends, with something shorter in the place of the JVM. */
class KeepRunningTest {
    private static final Path SCRIPT = Path.of("..", "keep-running.sh").toAbsolutePath();

    @TempDir
    private Path folder = Path.of("");

    /** The output and the exit value. */
    private record Outcome(String output, int exitValue) {}

    @Test
    void aJvmThatDiesIsStartedAgainAndForgetsNothing() throws Exception {
        var ended = run("""
                case $(wc -l <runs) in
                    1) kill -KILL $BASHPID ;;
                    2) exit 3 ;;
                    3) kill -SEGV $BASHPID ;;
                    4) exit 1 ;;
                esac
                """);

        assertThat(ended.exitValue).isZero();
        assertThat(runs())
                .containsExactly(
                        "--port 1 --fresh --data x",
                        "--port 1 --data x",
                        "--port 1 --data x",
                        "--port 1 --data x",
                        "--port 1 --data x");
        assertThat(ended.output)
                .contains("starting again, because it was killed")
                .contains("starting again, because its memory was full")
                .contains("starting again, because it died of the signal SEGV")
                .contains("starting again, because it could not be started");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 143})
    void aJvmThatEndsIsNotStartedAgain(int exitValue) throws Exception {
        assertThat(run("exit " + exitValue).exitValue).isEqualTo(exitValue);
        assertThat(runs()).hasSize(1);
    }

    @Test
    void aJvmThatAlwaysDiesIsGivenUp() throws Exception {
        var ended = run("kill -KILL $BASHPID");

        assertThat(ended.exitValue).isEqualTo(137);
        assertThat(runs()).hasSize(6);
        assertThat(ended.output
                        .lines()
                        .filter(line -> !line.contains("Killed"))
                        .toList()
                        .getLast())
                .contains("it died 6 times within 10 minutes")
                .contains("not started again");
    }

    @Test
    void aSignalEndsBoth() throws Exception {
        var script = start("trap 'echo ending >>runs; exit 143' TERM; touch started; while :; do sleep 0.05; done");
        assertThat(Deadline.in(Duration.ofSeconds(30)).until(() -> Files.exists(folder.resolve("started"))))
                .isTrue();

        script.destroy();

        assertThat(script.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).isEqualTo(143);
        assertThat(runs()).containsExactly("--port 1 --fresh --data x", "ending");
    }

    private Outcome run(String body) throws Exception {
        var script = start(body);
        var output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(output, script.waitFor());
    }

    private Process start(String body) throws IOException {
        var text = """
                . '%s'
                restart_pause=0
                launch() {
                echo "$*" >>runs
                %s
                }
                keep_running launch --port 1 --fresh --data x
                """.formatted(SCRIPT, body);
        return new ProcessBuilder("bash", "-u", "-c", text)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private List<String> runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs"));
    }
}
