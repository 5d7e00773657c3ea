// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Typing travels only through Kafka: without Kafka typing is not delivered, and all other functions work (contract.md 11.2). */
@BreaksOneJvm("kills Kafka")
class TypingWithoutKafkaE2E extends TypingRoom {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    TypingWithoutKafkaE2E(Rookery rookery) {
        super(rookery);
    }

    @Test
    void withoutKafkaTypingIsLostAndLaterItWorksAgain() throws Exception {
        var since = token(ada.sync(SyncQuery.initial()));
        var killed = rookery.kill("kafka-1");
        for (int i = 0; i < 20; i++) {
            assertThat(type(grace, Map.of("typing", true, "timeout", 1000)).status())
                    .isEqualTo(200);
        }
        assertThat(Deadline.in(PATIENCE).until(() -> rookery.runs("kafka-1", killed)))
                .isTrue();
        var last = new String[] {since};
        assertThat(Deadline.in(PATIENCE).until(() -> isHeard(last))).isTrue();
    }

    private boolean isHeard(String[] last) {
        try {
            type(grace, Map.of("typing", true, "timeout", 30_000)).ok();
            var answer = ada.sync(SyncQuery.since(last[0]).waiting(Duration.ofMillis(500)));
            last[0] = token(answer);
            return typing(answer).equals(List.of(List.of(grace.userId())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
