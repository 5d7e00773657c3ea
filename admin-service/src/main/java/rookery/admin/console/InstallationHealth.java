// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.DoublePredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The instances, and those alerts of {@code deploy/prometheus/rules.yml} that the present values alone decide. Alerts about rates need
 * Prometheus.
 *
 * @param instances by name, with the values that the console shows
 */
record InstallationHealth(List<Node> instances, List<Alert> alerts) {
    private static final Pattern SAMPLE = Pattern.compile("([a-z_0-9]+)\\{([^}]*)} (\\S+)");
    private static final Pattern NODE = Pattern.compile("node=\"([^\"]*)\"");
    private static final Pattern VERSION = Pattern.compile("\\bversion=\"([^\"]*)\"");
    private static final String UP = "rookery_instance_up";

    /** The alerts by their names in the rules, with the metric and the condition that is an alert. */
    static final List<Rule> RULES = List.of(
            new Rule("InstanceDown", UP, "up{service!=\"\"} == 0", value -> value == 0),
            new Rule("LogNotFollowed", "log_behind_seconds", "(log_behind_seconds) > 15", value -> value > 15),
            new Rule("RateLimitNotShared", "rate_limit_shared", "(rate_limit_shared) == 0", value -> value == 0),
            new Rule(
                    "PushesAreLate",
                    "push_queue_overdue_seconds",
                    "(push_queue_overdue_seconds) > 720",
                    value -> value > 720),
            new Rule("DiskAlmostFull", "disk_free_ratio", "(disk_free_ratio) < 0.1", value -> value < 0.1));

    /**
     * A rule.
     *
     * @param expression a part of the rule's expression in {@code rules.yml}, where a test looks for it
     */
    record Rule(String name, String metric, String expression, DoublePredicate isAlert) {}

    /** An instance; a null value is one that its service does not have. */
    record Node(
            String name,
            boolean up,
            @Nullable Double behind,
            @Nullable Double inFlight,
            @Nullable Double pushes,
            @Nullable Double diskFree,
            @Nullable String version,
            Refusals refusals) {}

    /** Numbers of refused requests since the start of an instance, by the reason. */
    record Refusals(long rateLimited, long overload, long connections, long beyondLimits) {
        public boolean any() {
            return rateLimited + overload + connections + beyondLimits > 0;
        }
    }

    /** A rule that is an alert now. */
    record Alert(String rule, String node, String value) {}

    /** Reads the page of all metrics, in Prometheus text. */
    static InstallationHealth of(String metrics) {
        var byNode = new TreeMap<String, Map<String, Double>>();
        var versions = new TreeMap<String, String>();
        var alerts = new ArrayList<Alert>();
        metrics.lines().forEach(line -> {
            var sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                return;
            }
            var node = NODE.matcher(sample.group(2));
            if (!node.find()) {
                return;
            }
            var version = VERSION.matcher(sample.group(2));
            if (version.find()) {
                versions.put(node.group(1), version.group(1));
            }
            double value = Double.parseDouble(sample.group(3));
            byNode.computeIfAbsent(node.group(1), _ -> new TreeMap<>())
                    .merge(sample.group(1), value, worse(sample.group(1)));
            RULES.stream()
                    .filter(rule -> rule.metric.equals(sample.group(1)) && rule.isAlert.test(value))
                    .map(rule -> new Alert(rule.name, node.group(1), sample.group(3)))
                    .forEach(alerts::add);
        });
        var nodes = byNode.entrySet().stream()
                .filter(entry -> entry.getValue().containsKey(UP))
                .map(entry -> node(entry.getKey(), entry.getValue(), versions.get(entry.getKey())))
                .toList();
        return new InstallationHealth(nodes, List.copyOf(alerts));
    }

    /** Of several samples of an instance: the fullest disk, the furthest log, and the sum of counts. */
    private static BinaryOperator<Double> worse(String metric) {
        return switch (metric) {
            case "disk_free_ratio" -> Math::min;
            case "log_behind_seconds" -> Math::max;
            default -> Double::sum;
        };
    }

    private static Node node(String name, Map<String, Double> values, @Nullable String version) {
        return new Node(
                name,
                values.getOrDefault(UP, 0.0) > 0,
                values.get("log_behind_seconds"),
                values.get("http_in_flight"),
                values.get("push_queue_depth"),
                values.get("disk_free_ratio"),
                version,
                new Refusals(
                        count(values, "rate_limited_total"),
                        count(values, "gateway_sends_refused_total") + count(values, "gateway_waiting_refused_total"),
                        count(values, "gateway_connections_refused_total"),
                        count(values, "requests_beyond_limits_total")));
    }

    private static long count(Map<String, Double> values, String metric) {
        return values.getOrDefault(metric, 0.0).longValue();
    }
}
