// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.monitoring.Monitoring;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** The page of metrics, through the gateway and from all instances (contract.md 4). */
@OnCluster
class MetricsE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern NODE = Pattern.compile("node=\"([^\"]+)\"");
    private static final Pattern IDENTIFIER = Pattern.compile("[@!$#][^\"{}\\s]+:[a-z0-9.-]+");
    private static final String SEND = "/_api/client/v3/rooms/{roomId}/send/{type}/{txnId}";

    private final Rookery rookery;
    private Http http;

    MetricsE2E(Rookery rookery) {
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

    private String page() {
        try {
            var answer = http.call("GET", "/metrics", null, null);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type.replace(" ", ""))
                            .isEqualToIgnoringCase("text/plain;version=0.0.4;charset=utf-8"));
            return answer.text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sum of a metric's samples with all of the given labels. */
    private static double sum(String page, String metric, String... labels) {
        return page.lines()
                .filter(line -> line.startsWith(metric + "{"))
                .filter(line -> {
                    for (var label : labels) {
                        if (!line.contains(label)) {
                            return false;
                        }
                    }
                    return true;
                })
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void everyNameOfTheContractIsThereOfEveryInstance() throws IOException {
        var ada = People.newcomer(http, "ada");
        var room = ada.createRoom(Map.of());
        ada.say(room, "counted");
        ada.sync(SyncQuery.initial());
        assertThat(Deadline.in(PATIENCE).until(() -> sum(page(), "http_requests_total", SEND, "status=\"200\"") >= 1))
                .isTrue();
        assertThat(Deadline.in(PATIENCE).until(() -> sum(page(), "sync_duration_seconds_count") >= 1))
                .isTrue();
        var page = page();
        assertThat(page.lines()
                        .filter(line -> line.startsWith("# TYPE "))
                        .map(line -> line.substring("# TYPE ".length())))
                .contains(
                        "http_requests_total counter",
                        "http_request_duration_seconds histogram",
                        "http_in_flight gauge",
                        "sync_waiters gauge",
                        "sync_duration_seconds histogram",
                        "events_persisted_total counter",
                        "event_persist_seconds histogram",
                        "rate_limited_total counter",
                        "push_attempts_total counter",
                        "push_queue_depth gauge",
                        "uia_sessions gauge",
                        "db_pool_in_use gauge",
                        "db_pool_wait_seconds histogram",
                        "db_query_seconds histogram",
                        "log_behind_seconds gauge",
                        "log_epoch gauge",
                        "media_bytes_total counter",
                        "email_sent_total counter",
                        "sms_sent_total counter")
                .doesNotHaveDuplicates();
        var nodes =
                NODE.matcher(page).results().map(node -> node.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(nodes)
                .containsAll(rookery.instances().stream()
                        .map(Instance::name)
                        .filter(name -> name.contains("service") || name.startsWith("gateway"))
                        .toList());
    }

    /** What alerts and dashboards ask for is what instances have, after a little of everything. */
    @Test
    void everyMetricOfTheDashboardsIsThere() throws IOException {
        var ada = People.newcomer(http, "ada");
        var room = ada.createRoom(Map.of());
        ada.say(room, "counted");
        ada.sync(SyncQuery.initial());
        var names = new TreeSet<>(Monitoring.metrics());
        names.removeIf(name -> name.startsWith("canary_")); // off unless asked for
        try (var client = HttpClient.newHttpClient()) {
            assertThat(Deadline.in(PATIENCE).until(() -> {
                        rookery.instances().forEach(instance -> names.removeAll(described(client, instance)));
                        return names.isEmpty();
                    }))
                    .as("no instance has %s", names)
                    .isTrue();
        }
    }

    /** The names of an instance's metrics, as its management page describes them. */
    private static Set<String> described(HttpClient client, Instance instance) {
        if (instance.management() == null || !instance.name().matches("(gateway|.*-service).*")) {
            return Set.of();
        }
        var request = HttpRequest.newBuilder(URI.create("http://" + instance.management() + "/actuator/prometheus"))
                .build();
        try {
            return client.send(request, BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("# TYPE "))
                    .map(line -> line.substring("# TYPE ".length(), line.lastIndexOf(' ')))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void countsWhatIsDoneAndNamesNobody() throws IOException {
        var before = page();
        var ada = People.newcomer(http, "ada");
        var room = ada.createRoom(Map.of());
        for (int i = 0; i < 7; i++) {
            ada.say(room, "counted");
        }
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> sum(page(), "http_requests_total", SEND)
                                >= sum(before, "http_requests_total", SEND) + 7))
                .isTrue();
        var after = page();
        assertThat(sum(after, "events_persisted_total", "kind=\"event\""))
                .isGreaterThanOrEqualTo(sum(before, "events_persisted_total", "kind=\"event\"") + 7);
        assertThat(sum(after, "event_persist_seconds_count")).isGreaterThan(sum(before, "event_persist_seconds_count"));
        assertThat(sum(after, "db_query_seconds_count", "op=\"insert\"")).isPositive();
        assertThat(sum(after, "db_pool_wait_seconds_count")).isPositive();
        assertThat(IDENTIFIER.matcher(after).results().map(found -> found.group()))
                .isEmpty();
        assertThat(after).doesNotContain("localhost", "tenant");
    }
}
