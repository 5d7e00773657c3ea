package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.bench.AccountsOptions.Kind;
import rookery.program.Program;

class AccountsOptionsTest {
    @Test
    void everythingIsMeasuredForAMinuteAfterAMinute() {
        var options = parse();
        assertThat(options.kinds).containsExactly(Kind.values());
        assertThat(options.length).isEqualTo(Duration.ofSeconds(60));
        assertThat(options.warmUp).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void someKindsAreChosen() {
        var options = parse("--seconds", "5", "--only", "registrations,logins", "--warm-up", "0");
        assertThat(options.kinds).containsExactly(Kind.LOGINS, Kind.REGISTRATIONS);
        assertThat(options.length).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.warmUp).isZero();
    }

    @Test
    void whatMakesNoSenseIsSaid() {
        assertThatThrownBy(() -> parse("--only")).hasMessageStartingWith("--only needs a value");
        assertThatThrownBy(() -> parse("--only", "logins,lunches"))
                .hasMessage("--only needs some of tokens,logins,registrations, not lunches");
        assertThatThrownBy(() -> parse("--members")).hasMessageStartingWith("--members needs a value");
    }

    private static AccountsOptions parse(String... words) {
        return Program.parse(new AccountsOptions(), List.of(words));
    }
}
