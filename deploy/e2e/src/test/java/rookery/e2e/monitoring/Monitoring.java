// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and dashboards of {@code deploy/prometheus} and {@code deploy/grafana}. */
public final class Monitoring {
    private static final Path DEPLOY = Path.of("..");
    private static final Pattern NO_METRIC = Pattern.compile(
            "\"[^\"]*\"|\\{[^}]*}|\\[[^]]*]|\\b(by|on|ignoring|group_left|group_right|without)\\s*\\([^)]*\\)"
                    + "|\\b(sum|max|min|count|topk|and|or|unless|bool|offset)\\b|[a-z_]+\\s*(?=\\()");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*[a-z]");
    /** What Prometheus itself makes. */
    private static final Set<String> OWN = Set.of("up");

    private Monitoring() {}

    record Alert(String name, String expression, Map<String, String> annotations, Map<String, String> labels) {}

    record Query(String panel, String expression) {}

    static List<Alert> alerts() {
        Map<String, Object> rules = new Yaml().load(text(DEPLOY.resolve("prometheus/rules.yml")));
        return maps(rules.get("groups")).stream()
                .flatMap(group -> maps(group.get("rules")).stream())
                .map(rule -> new Alert(
                        String.valueOf(rule.get("alert")),
                        String.valueOf(rule.get("expr")),
                        texts(rule.get("annotations")),
                        texts(rule.get("labels"))))
                .toList();
    }

    static List<JsonNode> dashboards() {
        var json = new JsonMapper();
        try (var files = Files.list(DEPLOY.resolve("grafana/dashboards"))) {
            return files.sorted().map(file -> json.readTree(text(file))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Query> queries() {
        return dashboards().stream()
                .flatMap(board -> board.path("panels").valueStream())
                .flatMap(panel -> panel.path("targets")
                        .valueStream()
                        .map(target -> new Query(
                                panel.path("title").asString(),
                                target.path("expr").asString())))
                .toList();
    }

    /**
     * Of all metrics that alerts and panels ask for, the names under which services describe them: without a histogram's parts.
     */
    public static Set<String> metrics() {
        return Stream.concat(
                        alerts().stream().map(Alert::expression),
                        queries().stream().map(Query::expression))
                .flatMap(expression -> metrics(expression).stream())
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    static Set<String> metrics(String expression) {
        var names = new TreeSet<String>();
        NAME.matcher(NO_METRIC.matcher(expression).replaceAll(" ")).results().forEach(found -> {
            if (!OWN.contains(found.group())) {
                names.add(found.group().replaceFirst("_(bucket|sum|count)$", ""));
            }
        });
        return names;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(@Nullable Object list) {
        return (List<Map<String, Object>>) Objects.requireNonNull(list);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(@Nullable Object map) {
        return (Map<String, String>) Objects.requireNonNull(map);
    }
}
