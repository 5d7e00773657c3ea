// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import rookery.e2e.revocation.RevocationLoad;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** The short form of {@code deploy/e2e/revocation}: logouts, blocks and demotions while a gateway with sessions in memory stands still. */
@BreaksCluster("stops a gateway")
class LeaseE2E {
    private static final int GATEWAYS = 2;
    private static final String STOPPED = "gateway-2";
    private static final int CLIENTS = 6;
    private static final int REVOCATIONS = 18;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Rookery rookery;

    LeaseE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void noGatewayAcceptsARequestThatBeginsAfterTheAnswer() throws Exception {
        try (var load = new RevocationLoad(rookery, GATEWAYS);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> {
                load.run(REVOCATIONS, CLIENTS);
                return null;
            });
            assertThat(Deadline.in(PATIENCE).until(PAUSE, this::hasSessions))
                    .as("sessions in the memory of " + STOPPED)
                    .isTrue();
            int before = load.ended();
            try (var _ = FrozenProcesses.freeze(rookery, STOPPED)) {
                Deadline.in(PATIENCE).until(PAUSE, () -> load.ended() > before || running.isDone());
            }
            running.get();
            assertThat(load.faults()).as(load.summary()).isEmpty();
            assertThat(load.ended()).as(load.summary()).isEqualTo(REVOCATIONS);
        }
    }

    private boolean hasSessions() {
        try {
            return Nodes.metrics(Objects.requireNonNull(rookery.instance(STOPPED)))
                    .lines()
                    .anyMatch(line -> line.startsWith("gateway_leased_sessions") && !line.endsWith(" 0.0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
