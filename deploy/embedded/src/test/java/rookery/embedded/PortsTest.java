// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void noPortIsHandedOutTwice() {
        var ports = new HashSet<Integer>();
        for (int i = 0; i < 500; i++) {
            assertThat(ports.add(Ports.free())).isTrue();
        }
    }

    @Test
    void severalPortsFollowEachOtherAndAreHandedOutToNobodyElse() {
        int first = Ports.free(3);
        assertThat(Ports.free()).isNotIn(first, first + 1, first + 2);
        assertThat(PortClaims.claim(first + 2)).isTrue();
    }

    @Test
    void rememberedPortIsTheSameAgain(@TempDir Path folder) {
        int port = Ports.remembered(folder.resolve("port"));
        assertThat(Ports.remembered(folder.resolve("port"))).isEqualTo(port);
        assertThat(Ports.remembered(folder.resolve("other-port"))).isNotEqualTo(port);
    }

    @Test
    void rememberedPortIsNotTakenWhereItIsKeptOrHandedOut(@TempDir Path folder) throws Exception {
        int kept = Ports.free();
        Ports.keep(kept);
        for (int taken : List.of(kept, Ports.free())) {
            Files.writeString(folder.resolve("port"), taken + "\n");
            int other = Ports.remembered(folder.resolve("port"));
            assertThat(other).isNotEqualTo(taken);
            assertThat(Files.readString(folder.resolve("port"))).isEqualTo(other + "\n");
        }
    }

    @Test
    void processesThatLiveAtTheSameTimeClaimDifferentPorts() throws Exception {
        int ours = Ports.free();
        var other = start(ours);
        try (var out = new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            var words = out.readLine().split(" ", 2);
            int theirs = Integer.parseInt(words[1]);
            assertThat(words[0]).isEqualTo("false");
            assertThat(PortClaims.claim(theirs)).isFalse();
            assertThat(PortClaims.claim(ours)).isTrue();

            other.destroyForcibly();
            assertThat(Deadline.in(PATIENCE).until(() -> PortClaims.claim(theirs)))
                    .isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    private static Process start(int port) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PortClaimApplication.class.getName(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
