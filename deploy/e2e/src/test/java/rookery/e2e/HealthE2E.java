// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** The health endpoints during failures (contract.md 4). */
@BreaksCluster("freezes Kafka and services")
class HealthE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Rookery rookery;
    private Http http;

    HealthE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void open() {
        http = rookery.http();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private JsonNode ready() {
        try {
            var answer = http.call("GET", "/health/ready", null, null);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            return answer.json().path("checks");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void eventually(String check, String expected) {
        Deadline.in(PATIENCE).until(() -> ready().path(check).asString().equals(expected));
        assertThat(ready().path(check).asString()).isEqualTo(expected);
    }

    @Test
    void kafkaThatDoesNotAnswerIsSeenAndMessagesFlow() throws IOException {
        var ada = People.newcomer(http, "ada");
        var room = ada.createRoom(Map.of());
        eventually("queue", "ok");
        try (var _ = FrozenProcesses.freeze(rookery, "kafka-1")) {
            eventually("queue", "degraded");
            var eventId = ada.say(room, "still here");
            assertThat(ada.messages(room, "b", null, null, 1).toString()).contains(eventId);
        }
        eventually("queue", "ok");
    }

    @Test
    void serviceThatDoesNotAnswerIsSeenThoughChatGoesOn() {
        eventually("services", "ok");
        try (var _ = FrozenProcesses.freeze(rookery, "directory-service-1")) {
            eventually("services", "degraded");
        }
        eventually("services", "ok");
    }
}
