package rookery.platform.push;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The way to a value of an event: names of fields, in conditions written with dots between them. {@code \.} is a dot of a name,
 * {@code \\} a backslash; a backslash before anything else is itself.
 */
record KeyPath(List<String> names) {
    KeyPath {
        names = List.copyOf(names);
    }

    static KeyPath of(String key) {
        var names = new ArrayList<String>();
        var name = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '\\' && i + 1 < key.length() && isEscaped(key.charAt(i + 1))) {
                name.append(key.charAt(++i));
            } else if (c == '.') {
                names.add(name.toString());
                name.setLength(0);
            } else {
                name.append(c);
            }
        }
        names.add(name.toString());
        return new KeyPath(names);
    }

    private static boolean isEscaped(char c) {
        return c == '.' || c == '\\';
    }

    /** The value there, or null: an array or a string has no fields. */
    @Nullable
    JsonNode in(JsonNode event) {
        var node = event;
        for (var name : names) {
            if (!(node instanceof ObjectNode object)) {
                return null;
            }
            node = object.get(name);
        }
        return node;
    }
}
