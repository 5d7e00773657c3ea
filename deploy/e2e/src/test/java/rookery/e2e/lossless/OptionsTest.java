// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.lossless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import rookery.program.Program;

class OptionsTest {
    @Test
    void allScenariosUnlessSomeAreNamed() {
        assertThat(parse().scenarios()).containsExactly(Scenario.values());
        assertThat(parse("--kills", "3", "restart", "quiet").scenarios())
                .containsExactly(Scenario.RESTART, Scenario.QUIET);
        assertThat(parse("--seconds", "90").length).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void oneOptionOfARookeryElsewhereIsEnough() {
        assertThat(parse().remote).isNull();
        var remote = Objects.requireNonNull(parse("--stop-file", "end").remote);
        assertThat(remote.stopFile).isEqualTo(Path.of("end"));
        assertThat(remote.site())
                .isEqualTo(Objects.requireNonNull(parse("--url", "http://localhost:8008").remote)
                        .site());
    }

    @Test
    void whatMakesNoSenseIsSaid() {
        assertThatThrownBy(() -> parse("loud")).hasMessage("unknown argument loud; --help lists the arguments");
        assertThatThrownBy(() -> parse("--loud")).hasMessage("unknown option --loud; --help lists them all");
        assertThatThrownBy(() -> parse("--kills", "-1")).hasMessage("--kills needs a number, not -1");
        assertThatThrownBy(() -> parse("--url", "a b")).hasMessageStartingWith("--url needs an address such as");
    }

    @Test
    void helpNamesEveryOption() {
        var options = new CommandLine(new Options()).getCommandSpec().options();
        assertThat(options).allSatisfy(option -> assertThat(Options.HELP).contains(option.longestName()));
    }

    private static Options parse(String... words) {
        return Program.parse(new Options(), List.of(words));
    }
}
