// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Whether every instance has noticed that a log goes on in another epoch. Until then each may answer one more request with a 503,
 * which the test that runs next does not expect.
 */
final class Epochs {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Epochs() {}

    /** Waits until all follow both logs in the epoch that holds now. */
    static void awaitEverywhere(Rookery rookery) {
        awaitEverywhere(rookery, "room-log", epoch(rookery, "room-service", "room"));
        awaitEverywhere(rookery, "user-log", epoch(rookery, "auth-service", "auth"));
    }

    private static long epoch(Rookery rookery, String service, String schema) {
        var epochs = rookery.database(service).texts("SELECT DISTINCT epoch FROM " + schema + ".shard");
        assertThat(epochs).hasSize(1);
        return Long.parseLong(epochs.getFirst());
    }

    private static void awaitEverywhere(Rookery rookery, String log, long epoch) {
        for (var instance : rookery.instances()) {
            assertThat(Deadline.in(PATIENCE)
                            .until(PAUSE, () -> followed(instance, log).stream().allMatch(value -> value == epoch)))
                    .as("%s follows %s in epoch %d", instance.name(), log, epoch)
                    .isTrue();
        }
    }

    /** The followed epochs; empty when the instance does not follow the log. */
    private static List<Long> followed(Instance instance, String log) {
        try {
            return Nodes.metrics(instance)
                    .lines()
                    .filter(line -> line.startsWith("log_epoch{") && line.contains("log=\"" + log + "\""))
                    .map(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
