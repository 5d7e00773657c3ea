// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the Prometheus text of all instances into one page: the samples of a metric are adjacent, and each sample gets the
 * labels {@code service} and {@code node}. Samples are not added up, so no counter falls when an instance ends.
 *
 * <p>The page is public and lists only the metrics below, because metrics of libraries may contain any name.
 */
final class MetricsPage {
    /** contract.md 4. */
    static final Set<String> CONTRACT = Set.of(
            "http_requests_total",
            "http_request_duration_seconds",
            "http_in_flight",
            "sync_waiters",
            "sync_duration_seconds",
            "events_persisted_total",
            "event_persist_seconds",
            "rate_limited_total",
            "push_attempts_total",
            "push_queue_depth",
            "uia_sessions",
            "db_pool_in_use",
            "db_pool_wait_seconds",
            "db_query_seconds",
            "media_bytes_total",
            "email_sent_total",
            "sms_sent_total");

    private static final List<String> PREFIXES = List.of(
            "canary_",
            "disk_free_ratio",
            "ephemeral_",
            "gateway_",
            "instance_version",
            "jvm_buffer_",
            "jvm_gc_",
            "jvm_memory_",
            "jvm_netty_",
            "jvm_threads_",
            "log_",
            "process_",
            "push_",
            "rate_limit_",
            "requests_beyond_limits",
            "sync_",
            "system_cpu_");

    private static final String UP = "rookery_instance_up";
    private static final String HELP = "# HELP ";
    private static final String TYPE = "# TYPE ";

    private final Map<String, Family> families = new TreeMap<>();

    private MetricsPage() {}

    /** The lines of one metric. */
    private static final class Family {
        private final StringBuilder head = new StringBuilder();
        private final StringBuilder samples = new StringBuilder();
        /** The first instance that describes the metric; only this instance's HELP and TYPE lines are kept. */
        private @Nullable String describedBy;
    }

    /** @param running names of the instances that answered this scrape; other instances appear with earlier samples */
    static String of(Collection<Scrape> scrapes, Set<String> running) {
        var page = new MetricsPage();
        var up = page.family(UP);
        up.head
                .append(HELP + UP + " whether the instance answered when its metrics were asked\n")
                .append(TYPE + UP + " gauge\n");
        for (var scrape : scrapes) {
            var labels = "service=\"" + scrape.service() + "\",node=\"" + scrape.node() + "\"";
            page.add(scrape, labels);
            up.samples
                    .append(UP + "{" + labels + "} ")
                    .append(running.contains(scrape.node()) ? 1 : 0)
                    .append('\n');
        }
        var text = new StringBuilder();
        page.families.values().forEach(family -> text.append(family.head).append(family.samples));
        return text.toString();
    }

    private Family family(String name) {
        return families.computeIfAbsent(name, _ -> new Family());
    }

    private void add(Scrape scrape, String labels) {
        Family current = null;
        for (String line : scrape.text().lines().toList()) {
            if (line.startsWith(HELP) || line.startsWith(TYPE)) {
                String name = line.split(" ", 4)[2];
                current = isPublic(name) ? family(name) : null;
                describe(current, scrape.node(), line);
            } else if (current != null && !line.isEmpty() && line.charAt(0) != '#') {
                append(current.samples, line, labels);
            }
        }
    }

    private static void describe(@Nullable Family family, String node, String line) {
        if (family == null) {
            return;
        }
        if (family.describedBy == null) {
            family.describedBy = node;
        }
        if (family.describedBy.equals(node)) {
            family.head.append(line).append('\n');
        }
    }

    private static boolean isPublic(String name) {
        return CONTRACT.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** {@code name{a="b"} 1} or {@code name 1}. */
    private static void append(StringBuilder samples, String line, String labels) {
        int brace = line.indexOf('{');
        int space = line.indexOf(' ');
        if (brace >= 0 && brace < space) {
            samples.append(line, 0, brace + 1).append(labels);
            samples.append(line.charAt(brace + 1) == '}' ? "" : ",").append(line, brace + 1, line.length());
        } else {
            samples.append(line, 0, space)
                    .append('{')
                    .append(labels)
                    .append('}')
                    .append(line, space, line.length());
        }
        samples.append('\n');
    }
}
