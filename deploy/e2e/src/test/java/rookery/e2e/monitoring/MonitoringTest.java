// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code MetricsE2E} tests that every metric exists; promtool tests the rules. */
class MonitoringTest {
    @Test
    void everyAlertSaysWhatItMeansAndWhatToDo() {
        assertThat(Monitoring.alerts()).hasSizeGreaterThan(15).allSatisfy(alert -> {
            assertThat(alert.annotations().get("summary")).as(alert.name()).isNotBlank();
            assertThat(alert.annotations().get("description")).as(alert.name()).hasSizeGreaterThan(60);
            assertThat(alert.labels().get("severity")).as(alert.name()).isIn("page", "ticket");
        });
        assertThat(Monitoring.alerts()).extracting(Monitoring.Alert::name).doesNotHaveDuplicates();
    }

    @Test
    void everyPanelAsksTheProvisionedDataSource() {
        assertThat(Monitoring.dashboards()).isNotEmpty().allSatisfy(board -> {
            assertThat(board.path("uid").asString()).isNotBlank();
            assertThat(board.path("panels")
                            .valueStream()
                            .map(panel -> panel.path("id").asInt()))
                    .doesNotHaveDuplicates();
            board.path("panels")
                    .valueStream()
                    .filter(panel -> !panel.path("type").asString().equals("row"))
                    .forEach(panel -> assertThat(panel.at("/datasource/uid").asString())
                            .as(panel.path("title").asString())
                            .isEqualTo("prometheus"));
        });
        assertThat(Monitoring.queries())
                .isNotEmpty()
                .allSatisfy(query -> assertThat(Monitoring.metrics(query.expression()))
                        .as(query.panel())
                        .satisfiesAnyOf(
                                names -> assertThat(names).isNotEmpty(),
                                _ -> assertThat(query.expression()).contains("up{")));
    }

    @Test
    void metricsAreToldFromTheRestOfAQuery() {
        assertThat(
                        Monitoring.metrics(
                                "histogram_quantile(0.99, sum by (service, le) (rate(db_query_seconds_bucket{op=~\"a|b\"}[5m]))) > 0.2"))
                .containsExactly("db_query_seconds");
        assertThat(Monitoring.metrics(
                        "max by (log) (log_epoch) != min by (log) (log_epoch) or absent(up{service=\"a\"})"))
                .containsExactly("log_epoch");
    }
}
