// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import rookery.admin.console.InstallationHealth.Alert;

class InstallationHealthTest {
    private static final String METRICS = """
            # TYPE rookery_instance_up gauge
            rookery_instance_up{service="room-service",node="room-service-1"} 1
            rookery_instance_up{service="sync-service",node="sync-service-1"} 0
            disk_free_ratio{service="room-service",node="room-service-1",disk="data"} 0.5
            disk_free_ratio{service="room-service",node="room-service-1",disk="media"} 0.09
            log_behind_seconds{service="sync-service",node="sync-service-1",log="room-log"} 16.5
            log_behind_seconds{service="sync-service",node="sync-service-1",log="user-log"} NaN
            push_queue_depth{service="push-service",node="push-service-1"} 7.0
            """;

    @Test
    void showsInstancesAndWhatIsAnAlertNow() {
        var health = InstallationHealth.of(METRICS);
        assertThat(health.instances())
                .extracting(node -> node.name() + " " + node.up() + " " + node.diskFree())
                .containsExactly("room-service-1 true 0.09", "sync-service-1 false null");
        assertThat(health.alerts())
                .containsExactlyInAnyOrder(
                        new Alert("InstanceDown", "sync-service-1", "0"),
                        new Alert("DiskAlmostFull", "room-service-1", "0.09"),
                        new Alert("LogNotFollowed", "sync-service-1", "16.5"));
    }

    /** The console and Prometheus alarm at the same values. */
    @Test
    void rulesAreThoseOfPrometheus() throws IOException {
        var rules = Files.readString(Path.of("../deploy/prometheus/rules.yml"));
        for (var rule : InstallationHealth.RULES) {
            int begin = rules.indexOf("alert: " + rule.name() + "\n");
            assertThat(begin).as(rule.name()).isPositive();
            int end = rules.indexOf("alert: ", begin + 1);
            assertThat(rules.substring(begin, end < 0 ? rules.length() : end))
                    .as(rule.name())
                    .contains(rule.expression());
        }
    }
}
