// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.platform.json.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Something that operators set for a tenant while everything runs: its name and the values that it may have. {@link TenantSettings}
 * has all of them.
 *
 * @param <T> the type of the value in Java
 */
public final class Setting<T> {
    private static final int TEXT_LENGTH_MAX = 2_048;
    private static final int LIST_SIZE_MAX = 100;
    private static final int DOCUMENT_LENGTH_MAX = 16_384;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final String name;
    private final Kind kind;
    private final String values;
    private final Reading<T> reading;
    private final List<String> choices;

    /** The type of a value in JSON. */
    public enum Kind {
        /** True or false. */
        FLAG,
        /** A number, at least 1. In a change 0 removes the setting. */
        LIMIT,
        TEXT,
        /** One of a few texts. */
        CHOICE,
        /** A list of texts. */
        LIST,
        /** A JSON object. */
        DOCUMENT
    }

    /** Reads a value; null for one that the setting cannot have. */
    private interface Reading<T> {
        @Nullable
        T read(JsonNode json);
    }

    private Setting(String name, Kind kind, String values, Reading<T> reading) {
        this(name, kind, values, reading, List.of());
    }

    private Setting(String name, Kind kind, String values, Reading<T> reading, List<String> choices) {
        this.name = name;
        this.kind = kind;
        this.values = values;
        this.reading = reading;
        this.choices = choices;
    }

    static Setting<Boolean> flag(String name) {
        return new Setting<>(
                name,
                Kind.FLAG,
                "true or false",
                json -> json.isBoolean() ? (Boolean) json.booleanValue() : null,
                List.of("true", "false"));
    }

    static Setting<Long> limit(String name) {
        return new Setting<>(
                name,
                Kind.LIMIT,
                "a number above 0; in a change 0 removes the setting",
                json -> json.isIntegralNumber() && json.canConvertToLong() && json.longValue() > 0
                        ? (Long) json.longValue()
                        : null);
    }

    static Setting<String> text(String name, String values, Predicate<String> isAllowed) {
        return new Setting<>(name, Kind.TEXT, values, json -> {
            var text = textOf(json);
            return text != null && isAllowed.test(text) ? text : null;
        });
    }

    static Setting<String> choice(String name, List<String> choices) {
        return new Setting<>(
                name,
                Kind.CHOICE,
                "one of " + choices,
                json -> json.isString() && choices.contains(json.stringValue()) ? json.stringValue() : null,
                choices);
    }

    static Setting<URI> url(String name) {
        return new Setting<>(name, Kind.TEXT, "a URL such as https://chat.example", json -> {
            try {
                var url = new URI(String.valueOf(textOf(json)));
                return url.getHost() != null && SCHEMES.contains(String.valueOf(url.getScheme())) ? url : null;
            } catch (URISyntaxException _) {
                return null;
            }
        });
    }

    static Setting<Pattern> pattern(String name) {
        return new Setting<>(name, Kind.TEXT, "a regular expression for the whole text", json -> {
            try {
                var text = textOf(json);
                return text == null ? null : Pattern.compile(text);
            } catch (PatternSyntaxException _) {
                return null;
            }
        });
    }

    static Setting<List<String>> list(String name, String values) {
        return new Setting<>(
                name,
                Kind.LIST,
                values,
                json -> json.isArray()
                                && json.size() <= LIST_SIZE_MAX
                                && json.valueStream().allMatch(entry -> textOf(entry) != null)
                        ? json.valueStream().map(JsonNode::stringValue).toList()
                        : null);
    }

    static Setting<ObjectNode> document(String name, String values, Predicate<ObjectNode> isAllowed) {
        return new Setting<>(
                name,
                Kind.DOCUMENT,
                values,
                json -> json instanceof ObjectNode object
                                && object.toString().length() <= DOCUMENT_LENGTH_MAX
                                && isAllowed.test(object)
                        ? object
                        : null);
    }

    private static @Nullable String textOf(JsonNode json) {
        return json.isString() && json.stringValue().length() <= TEXT_LENGTH_MAX ? json.stringValue() : null;
    }

    /** The name in JSON. */
    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    /** The values of a flag and of a choice as texts; empty for other kinds. */
    public List<String> choices() {
        return choices;
    }

    /** The values that the setting may have, for an error message. */
    public String values() {
        return values;
    }

    /** The value of a JSON node; null for one that the setting cannot have. */
    @Nullable
    T read(JsonNode json) {
        return reading.read(json);
    }

    /** Whether the value of a change stands for the setting's absence: null, the empty text, and the limit 0. */
    boolean isReset(JsonNode json) {
        return json.isNull()
                || (json.isString() && json.stringValue().isEmpty())
                || (kind == Kind.LIMIT && json.isIntegralNumber() && json.canConvertToLong() && json.longValue() == 0);
    }

    /**
     * The JSON of a value in a form, a command or a configuration file: lists have commas, documents are JSON. A text that is none
     * of the kind becomes a JSON string, which {@link #read} refuses.
     */
    public JsonNode parsed(String text) {
        var json = JsonNodeFactory.instance;
        return switch (kind) {
            case FLAG ->
                text.equals("true") || text.equals("false")
                        ? json.booleanNode(Boolean.parseBoolean(text))
                        : json.stringNode(text);
            case LIMIT -> text.matches("[0-9]{1,18}") ? json.numberNode(Long.parseLong(text)) : json.stringNode(text);
            case TEXT, CHOICE -> json.stringNode(text);
            case LIST -> {
                var list = json.arrayNode();
                text.lines()
                        .flatMap(line -> Pattern.compile(",").splitAsStream(line))
                        .map(String::strip)
                        .forEach(list::add);
                yield text.isEmpty() ? json.stringNode(text) : list;
            }
            case DOCUMENT -> {
                try {
                    yield text.isEmpty() ? json.stringNode(text) : StrictJson.object(text);
                } catch (ApiException _) {
                    yield json.stringNode(text);
                }
            }
        };
    }

    /** The value of a text as {@link #parsed} reads it; null for one that the setting cannot have. */
    public @Nullable T valueOf(String text) {
        return read(parsed(text));
    }

    @Override
    public String toString() {
        return name;
    }
}
