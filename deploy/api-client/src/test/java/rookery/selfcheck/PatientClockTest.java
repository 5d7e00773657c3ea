// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;

class PatientClockTest {
    private static final HttpHeaders NONE = HttpHeaders.of(Map.of(), (_, _) -> true);

    private final List<String> lines = new ArrayList<>();
    private long nanos;
    private boolean isNested;
    private final PatientClock clock = new PatientClock(() -> nanos, this::sleep, lines::add);

    @Test
    void standsStillWhileSomebodyWaitsAndSaysSoOnce() throws InterruptedException {
        pass(Duration.ofSeconds(3));
        long before = clock.nanos();

        clock.await(refused("{\"retry_after_ms\":40000}"));

        assertThat(clock.nanos()).isEqualTo(before);
        assertThat(clock.stops()).isEqualTo(1);
        assertThat(lines).containsExactly("waiting 41 s for the rate limit");
        pass(Duration.ofSeconds(2));
        assertThat(clock.millisSince(before)).isEqualTo(2000);
    }

    /** Another thread is refused meanwhile. */
    private void sleep(Duration time) throws InterruptedException {
        pass(time);
        if (!isNested) {
            isNested = true;
            clock.await(refused("{\"retry_after_ms\":1000}"));
        }
    }

    @Test
    void theHeaderSaysHowLongWhereTheBodyDoesNot() {
        var header = HttpHeaders.of(Map.of("Retry-After", List.of("7")), (_, _) -> true);

        assertThat(new Answer("GET /", 429, header, "no JSON").retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(refused("{}").retryAfter()).isEqualTo(Duration.ofSeconds(60));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static Answer refused(String body) {
        return new Answer("GET /v3/sync", 429, NONE, body);
    }
}
