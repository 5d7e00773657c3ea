// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.json.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the fields of a request's JSON object with the contract's errors: M_MISSING_PARAM for an absent required field,
 * M_BAD_JSON for another type. A {@code null} field counts as absent.
 */
public record JsonBody(ObjectNode json) {
    /** The body of a request that reads its exchange itself. */
    public static JsonBody of(ServerWebExchange exchange) {
        return new JsonBody(StrictJson.object(WholeBody.of(exchange).bytes()));
    }

    public boolean has(String field) {
        return node(field) != null;
    }

    public String string(String field) {
        return required(field, optionalString(field));
    }

    public @Nullable String optionalString(String field) {
        return optional(field, "a string", JsonNode::isString, JsonNode::stringValue);
    }

    public boolean bool(String field) {
        return required(field, optionalBool(field));
    }

    public @Nullable Boolean optionalBool(String field) {
        return optional(field, "true or false", JsonNode::isBoolean, JsonNode::booleanValue);
    }

    public boolean boolOr(String field, boolean fallback) {
        var value = optionalBool(field);
        return value == null ? fallback : value;
    }

    public @Nullable Long optionalInteger(String field) {
        return optional(
                field, "an integer", node -> node.isIntegralNumber() && node.canConvertToLong(), JsonNode::longValue);
    }

    public JsonBody object(String field) {
        return required(field, optionalObject(field));
    }

    public @Nullable JsonBody optionalObject(String field) {
        return optional(field, "an object", JsonNode::isObject, JsonBody::of);
    }

    /** The strings of an array; empty if absent. */
    public List<String> strings(String field) {
        return elements(field, "an array of strings", JsonNode::isString, JsonNode::stringValue);
    }

    /** The objects of an array; empty if absent. */
    public List<JsonBody> objects(String field) {
        return elements(field, "an array of objects", JsonNode::isObject, JsonBody::of);
    }

    private static JsonBody of(JsonNode node) {
        return new JsonBody((ObjectNode) node);
    }

    private static <T> T value(
            String field, JsonNode node, String type, Predicate<JsonNode> isOfType, Function<JsonNode, T> value) {
        if (!isOfType.test(node)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "the field " + field + " must be " + type);
        }
        return value.apply(node);
    }

    private <T> @Nullable T optional(
            String field, String type, Predicate<JsonNode> isOfType, Function<JsonNode, T> value) {
        var node = node(field);
        return node == null ? null : value(field, node, type, isOfType, value);
    }

    private <T> List<T> elements(String field, String type, Predicate<JsonNode> isOfType, Function<JsonNode, T> value) {
        var array = optional(field, "an array", JsonNode::isArray, node -> node);
        return array == null
                ? List.of()
                : array.valueStream()
                        .map(element -> value(field, element, type, isOfType, value))
                        .toList();
    }

    private @Nullable JsonNode node(String field) {
        var node = json.get(field);
        return node == null || node.isNull() ? null : node;
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field " + field + " is missing");
        }
        return value;
    }
}
