// SPDX-License-Identifier: Apache-2.0
package rookery.admin.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document of the clients', administrators' and operators' API: {@code openapi.yaml} and the files that it names. */
public final class ApiDocument {
    private static final String FILES = "x-files";
    private static final String PATHS = "paths";
    private static final JsonMapper JSON = JsonMapper.shared();

    private ApiDocument() {}

    /** Reads all files and joins them. A path or schema in two files throws. */
    public static ObjectNode read() {
        var document = file("openapi.yaml");
        var schemas = (ObjectNode) document.path("components").path("schemas");
        var paths = JSON.createObjectNode();
        for (var name : document.remove(FILES)) {
            var part = file(name.stringValue());
            join(part.path(PATHS), paths);
            join(part.path("components").path("schemas"), schemas);
        }
        document.set(PATHS, paths);
        return document;
    }

    /** The document as YAML. */
    static String yaml() {
        var options = new DumperOptions();
        options.setWidth(120);
        var yaml = new Yaml(new SafeConstructor(new LoaderOptions()), new Representer(options), options);
        return yaml.dump(JSON.convertValue(read(), Object.class));
    }

    private static void join(JsonNode from, ObjectNode into) {
        for (var property : from.properties()) {
            if (into.has(property.getKey())) {
                throw new IllegalStateException("two files describe " + property.getKey());
            }
            into.set(property.getKey(), property.getValue());
        }
    }

    private static ObjectNode file(String name) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try (var in = Objects.requireNonNull(ApiDocument.class.getResourceAsStream("/openapi/" + name), name)) {
            Object tree = new Yaml(new SafeConstructor(options)).load(in);
            return JSON.convertValue(tree, ObjectNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
