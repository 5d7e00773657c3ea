// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private static final String GATEWAY = """
            # HELP http_in_flight requests
            # TYPE http_in_flight gauge
            http_in_flight 2.0
            # HELP tenant_secrets_total not for the public
            # TYPE tenant_secrets_total counter
            tenant_secrets_total{tenant="alpha.example"} 7.0
            # HELP http_requests_total requests
            # TYPE http_requests_total counter
            http_requests_total{method="GET",route="/x/{a}",status="200"} 5.0
            """;

    private static String page(Set<String> running, Scrape... scrapes) {
        return MetricsPage.of(List.of(scrapes), running);
    }

    @Test
    void samplesOfOneMetricStandTogetherUnderOneDescription() {
        var other = GATEWAY.replace("HELP http_in_flight requests", "HELP http_in_flight other words");
        assertThat(page(Set.of("gateway-1"), new Scrape("gateway-1", GATEWAY, 1), new Scrape("gateway-2", other, 1)))
                .isEqualTo("""
                        # HELP http_in_flight requests
                        # TYPE http_in_flight gauge
                        http_in_flight{service="gateway",node="gateway-1"} 2.0
                        http_in_flight{service="gateway",node="gateway-2"} 2.0
                        # HELP http_requests_total requests
                        # TYPE http_requests_total counter
                        http_requests_total{service="gateway",node="gateway-1",method="GET",route="/x/{a}",status="200"} 5.0
                        http_requests_total{service="gateway",node="gateway-2",method="GET",route="/x/{a}",status="200"} 5.0
                        # HELP rookery_instance_up whether the instance answered when its metrics were asked
                        # TYPE rookery_instance_up gauge
                        rookery_instance_up{service="gateway",node="gateway-1"} 1
                        rookery_instance_up{service="gateway",node="gateway-2"} 0
                        """);
    }

    @Test
    void spaceInALabelDoesNotEndTheName() {
        var text = """
                # HELP jvm_gc_x x
                # TYPE jvm_gc_x gauge
                jvm_gc_x{action="end of GC"} 1.0
                """;
        assertThat(page(Set.of(), new Scrape("push-service-1", text, 1)))
                .contains("jvm_gc_x{service=\"push-service\",node=\"push-service-1\",action=\"end of GC\"} 1.0\n");
    }
}
