// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import reactor.core.publisher.Mono;

class ReadinessHealthTest {
    private static final ReadinessCheck THERE = new ReadinessCheck("database", true, Mono.empty());

    @Test
    void managementPortSaysThatSomethingNeededIsMissing() {
        var missing = new ReadinessCheck("queue", true, Mono.error(new IllegalStateException("not caught up yet")));
        assertThat(status(THERE, missing)).isEqualTo(Status.OUT_OF_SERVICE);
    }

    @Test
    void managementPortIsUpWithoutWhatIsNotNeeded() {
        var missing = new ReadinessCheck("queue", false, Mono.error(new IllegalStateException("no Kafka")));
        assertThat(status(THERE, missing)).isEqualTo(Status.UP);
    }

    private static Status status(ReadinessCheck... checks) {
        return new ReadinessHealth(new Readiness(List.of(checks), Map::of))
                .health()
                .blockOptional()
                .orElseThrow()
                .getStatus();
    }
}
