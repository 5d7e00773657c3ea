// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What values.yaml has, README.md explains and values.schema.json knows, and the other way round. */
class ValuesTest {
    /** A row of the table begins with one or more values: | `image.tag`, `image.registry` | */
    private static final Pattern ROW = Pattern.compile("^\\|((?: ?`[\\w.*-]+`,?)+) \\|", Pattern.MULTILINE);

    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern SERVICE = Pattern.compile("^services\\.[a-z-]+\\.");

    @Test
    void everyValueStandsInTheTable() throws Exception {
        assertThat(explained()).containsAll(names());
        var other = new TreeSet<>(explained());
        other.removeAll(names());
        assertThat(other)
                .as("what values.yaml leaves to pods, each service may say by itself")
                .containsExactlyInAnyOrder(
                        "services.*.affinity",
                        "services.*.extraEnv",
                        "services.*.javaOptions",
                        "services.*.nodeSelector",
                        "services.*.tolerations");
    }

    @Test
    void everyValueStandsInTheSchema() throws Exception {
        Map<String, Object> schema =
                Manifest.cast(new Yaml().load(Files.readString(RenderedChart.FOLDER.resolve("values.schema.json"))));
        var unknown = new TreeSet<String>();
        leaves("", values()).forEach(name -> {
            if (!knows(schema, List.of(name.split("\\.")))) {
                unknown.add(name);
            }
        });
        assertThat(unknown).isEmpty();
    }

    private static boolean knows(@Nullable Object schema, List<String> path) {
        if (schema == null || path.isEmpty()) {
            return schema != null;
        }
        Map<String, Object> properties = Manifest.cast(schema);
        return properties.get("properties") == null
                ? properties.containsKey("$ref") // of a map of texts, or of what a container may take
                : knows(Manifest.map(properties, "properties").get(path.getFirst()), path.subList(1, path.size()));
    }

    private static Set<String> explained() throws Exception {
        var found = new TreeSet<String>();
        ROW.matcher(Files.readString(RenderedChart.FOLDER.resolve("README.md")))
                .results()
                .forEach(row -> NAME.matcher(row.group(1)).results().forEach(name -> found.add(name.group(1))));
        return found;
    }

    private static Set<String> names() throws Exception {
        var names = new TreeSet<String>();
        leaves("", values()).forEach(name -> names.add(SERVICE.matcher(name).replaceFirst("services.*.")));
        return names;
    }

    private static Map<String, Object> values() throws Exception {
        return Manifest.cast(new Yaml().load(Files.readString(RenderedChart.FOLDER.resolve("values.yaml"))));
    }

    /** The values by their paths; the requests and limits of a container are one value. */
    private static Set<String> leaves(String prefix, Map<String, Object> values) {
        var found = new TreeSet<String>();
        values.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner && !inner.isEmpty() && !key.equals("resources")) {
                found.addAll(leaves(prefix + key + ".", Manifest.cast(inner)));
            } else {
                found.add(prefix + key);
            }
        });
        return found;
    }
}
