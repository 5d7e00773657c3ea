// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.openapi;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answers that an OpenAPI document describes, by operation and status. Objects are closed: a member of an answer must be one of
 * the {@code properties}, unless the schema has {@code additionalProperties}. Thus a new member cannot stay undescribed.
 */
final class DescribedAnswers {
    private static final String PLACE = "https://rookery.example/openapi.json";
    private static final String OTHERWISE = "default";
    private static final String JSON_TYPE = "application/json";
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final JsonNode document;
    private final ObjectNode schemas = JsonNodeFactory.instance.objectNode();
    private final Map<String, List<Operation>> operations = new HashMap<>();
    private final SchemaRegistry registry;

    /** An operation of the document. */
    record Operation(String method, PathPattern path, Map<String, AnswerSchema> answers) {
        @Nullable
        AnswerSchema answer(int status) {
            var described = answers.get(Integer.toString(status));
            return described == null ? answers.get(OTHERWISE) : described;
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /**
     * The answer with one status.
     *
     * @param types the types of content; empty for an answer without content
     * @param schema of the JSON, if there is any
     */
    record AnswerSchema(Set<String> types, @Nullable Schema schema) {
        boolean has(String type) {
            return types.contains(type) || types.contains("*/*");
        }
    }

    DescribedAnswers(JsonNode document) {
        this.document = document;
        var resource = JsonNodeFactory.instance.objectNode();
        resource.putObject("components")
                .set("schemas", closed(document.path("components").path("schemas")));
        resource.set("answers", schemas);
        var waiting = new ArrayList<Runnable>();
        for (var item : document.path("paths").properties()) {
            for (var member : item.getValue().properties()) {
                if (METHODS.contains(member.getKey())) {
                    collect(member.getKey().toUpperCase(Locale.ROOT), item.getKey(), member.getValue(), waiting);
                }
            }
        }
        registry = SchemaRegistry.withDefaultDialect(
                Dialects.getDraft202012(),
                builder -> builder.schemas(Map.of(PLACE, JsonMapper.shared().writeValueAsString(resource))));
        waiting.forEach(Runnable::run); // schemas are compiled once all of them are collected
        operations
                .values()
                .forEach(all ->
                        all.sort((one, other) -> PathPattern.SPECIFICITY_COMPARATOR.compare(one.path, other.path)));
    }

    /** All operations. */
    List<Operation> all() {
        return operations.values().stream().flatMap(List::stream).toList();
    }

    /** The operation of a path without its query; null for a path that the document does not have. */
    @Nullable
    Operation find(String method, String path) {
        var container = PathContainer.parsePath(path);
        for (var operation : operations.getOrDefault(method, List.of())) {
            if (operation.path.matches(container)) {
                return operation;
            }
        }
        return null;
    }

    private void collect(String method, String path, JsonNode operation, List<Runnable> waiting) {
        var answers = new HashMap<String, AnswerSchema>();
        for (var response : operation.path("responses").properties()) {
            var content = resolved(response.getValue()).path("content");
            var types = Set.copyOf(content.propertyNames());
            var schema = content.path(JSON_TYPE).path("schema");
            if (schema.isMissingNode()) {
                answers.put(response.getKey(), new AnswerSchema(types, null));
            } else {
                var name = place(schema);
                waiting.add(() -> answers.put(
                        response.getKey(),
                        new AnswerSchema(types, registry.getSchema(SchemaLocation.of(PLACE + "#/answers/" + name)))));
            }
        }
        operations
                .computeIfAbsent(method, _ -> new ArrayList<>())
                .add(new Operation(method, PathPatternParser.defaultInstance.parse(path), answers));
    }

    private JsonNode resolved(JsonNode response) {
        return response.has("$ref")
                ? document.at(response.path("$ref").stringValue().substring(1))
                : response;
    }

    /** Equal schemas, such as that of errors, are compiled once. */
    private String place(JsonNode schema) {
        var closed = closed(schema);
        for (var known : schemas.properties()) {
            if (known.getValue().equals(closed)) {
                return known.getKey();
            }
        }
        var name = "n" + schemas.size();
        schemas.set(name, closed);
        return name;
    }

    private static JsonNode closed(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            var copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(member -> copy.set(member.getKey(), closed(member.getValue())));
            if (object.path("properties").isObject() && !object.has("additionalProperties")) {
                copy.put("additionalProperties", false);
            }
            return copy;
        }
        if (schema.isArray()) {
            var copy = JsonNodeFactory.instance.arrayNode();
            schema.forEach(element -> copy.add(closed(element)));
            return copy;
        }
        return schema;
    }
}
