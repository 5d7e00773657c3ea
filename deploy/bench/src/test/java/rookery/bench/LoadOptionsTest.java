// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.program.Program;

class LoadOptionsTest {
    @Test
    void whatIsNotAskedForIsAsTheHelpSays() {
        var options = parse();
        assertThat(options.rate).isEqualTo(20);
        assertThat(options.members).isEqualTo(10);
        assertThat(options.warmUpRate()).isEqualTo(30);
        assertThat(options.data).isEqualTo(Path.of("data"));
    }

    @Test
    void optionsAreRead() {
        var options =
                parse("--url", "http://example:1", "--prefix", "/_matrix/client", "--seconds", "1.5", "--json", "a");
        assertThat(options.url).hasToString("http://example:1");
        assertThat(options.prefix).isEqualTo("/_matrix/client");
        assertThat(options.length).isEqualTo(Duration.ofMillis(1500));
        assertThat(options.json).isEqualTo(Path.of("a"));
    }

    @Test
    void whatMakesNoSenseIsSaid() {
        assertThatThrownBy(() -> parse("--rate", "many")).hasMessage("--rate needs a number, not many");
        assertThatThrownBy(() -> parse("--rate")).hasMessageStartingWith("--rate needs a value");
        assertThatThrownBy(() -> parse("--speed", "1")).hasMessageStartingWith("unknown option --speed");
    }

    private static LoadOptions parse(String... words) {
        return Program.parse(new LoadOptions(), List.of(words));
    }
}
