// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Whether a change of the registry is in force in every instance (design.md 7). Until then an instance may refuse a new tenant with
 * 503, or not apply a new limit yet.
 */
final class RegistryVersions {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private RegistryVersions() {}

    static void awaitEverywhere(Rookery rookery, long version) {
        for (var instance : rookery.instances()) {
            assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> has(instance, version)))
                    .as("%s has version %d of the registry", instance.name(), version)
                    .isTrue();
        }
    }

    /** Also for admin-service, whose registry it is. */
    private static boolean has(Instance instance, long version) {
        try {
            return Nodes.metrics(instance)
                    .lines()
                    .filter(line -> line.startsWith("registry_version"))
                    .allMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) >= version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
