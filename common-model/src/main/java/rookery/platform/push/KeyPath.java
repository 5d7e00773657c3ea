// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The path to a value of an event: field names, separated by dots in conditions. {@code \.} is a dot within a name, {@code \\} a
 * backslash; any other backslash is literal.
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

    /** Returns the value at the path, or null; arrays and strings have no fields. */
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
