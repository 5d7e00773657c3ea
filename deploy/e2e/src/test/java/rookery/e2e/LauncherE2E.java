// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import rookery.standalone.LauncherProcess;

/**
 * Tests of the launcher while a cluster runs. {@code ClusterExtension} checks that no process outlives the launcher, and {@code
 * OneJvmE2E} stops and restarts a run.
 */
@BreaksCluster("kills servers, and adds and stops instances")
class LauncherE2E {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Rookery rookery;

    LauncherE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @AfterEach
    void awaitEpochs() {
        Epochs.awaitEverywhere(rookery);
    }

    @Test
    void whatIsKilledIsStartedAgainAtTheSameAddress() {
        var killed = new LinkedHashMap<String, Instance>();
        for (var name : List.of("room-service-2", "kafka-1", "postgres-1", "redis-1")) {
            killed.put(name, Objects.requireNonNull(rookery.kill(name), name));
        }
        killed.forEach((name, before) -> {
            assertThat(Deadline.in(PATIENCE).until(() -> rookery.runs(name, before)))
                    .as(name)
                    .isTrue();
            assertThat(Objects.requireNonNull(rookery.instance(name)).address()).isEqualTo(before.address());
        });
    }

    @Test
    void instancesAreAddedAndStoppedWhenAsked() throws IOException {
        assertThat(answer("--add=sync")).contains("sync-service-4 was added");
        assertThat(rookery.instance("sync-service-4")).isNotNull();
        try (var http = rookery.http()) {
            assertThat(http.call("GET", "/health/ready", null, null).status()).isEqualTo(200);
        }
        assertThat(answer("--stop=sync-service-4")).contains("sync-service-4 was stopped");
        assertThat(rookery.instance("sync-service-4")).isNull();
        assertThat(answer("--stop=auth-service-1")).contains("the last instance");
        assertThat(answer("--kill=nobody-1")).contains("there is no nobody-1");
    }

    /** The words of a second deploy/run on the same data folder. */
    private String answer(String request) throws IOException {
        try (var second = new LauncherProcess("--data=" + rookery.plan().data(), request)) {
            return String.join("\n", second.printedToTheEnd());
        }
    }
}
