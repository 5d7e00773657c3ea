// SPDX-License-Identifier: Apache-2.0
package rookery.auth.sms;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The request body for the SMS provider: a JSON template, with number and text inserted into its strings. */
final class SmsBody {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final JsonNode template;

    SmsBody(String template) {
        this.template = JSON.readTree(template);
    }

    byte[] filled(String to, String text) {
        return JSON.writeValueAsBytes(filled(template, Map.of("{to}", to, "{text}", text)));
    }

    private static JsonNode filled(JsonNode node, Map<String, String> values) {
        return switch (node) {
            case ObjectNode object -> {
                var copy = JSON.createObjectNode();
                object.properties().forEach(field -> copy.set(field.getKey(), filled(field.getValue(), values)));
                yield copy;
            }
            case ArrayNode array -> {
                var copy = JSON.createArrayNode();
                array.forEach(element -> copy.add(filled(element, values)));
                yield copy;
            }
            default -> node.isString() ? JSON.getNodeFactory().stringNode(filled(node.stringValue(), values)) : node;
        };
    }

    private static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (var value : values.entrySet()) {
            filled = filled.replace(value.getKey(), value.getValue());
        }
        return filled;
    }
}
