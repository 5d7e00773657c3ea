package rookery.platform.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the fields of a request's JSON object with the contract's errors: M_MISSING_PARAM for an absent required field,
 * M_BAD_JSON for another type. A {@code null} field counts as absent.
 */
public record JsonBody(ObjectNode json) {
    public boolean has(String field) {
        return node(field) != null;
    }

    public String string(String field) {
        return required(field, optionalString(field));
    }

    public @Nullable String optionalString(String field) {
        var node = node(field);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            throw wrongType(field, "a string");
        }
        return node.stringValue();
    }

    public boolean bool(String field) {
        return required(field, optionalBool(field));
    }

    public @Nullable Boolean optionalBool(String field) {
        var node = node(field);
        if (node == null) {
            return null;
        }
        if (!node.isBoolean()) {
            throw wrongType(field, "true or false");
        }
        return node.booleanValue();
    }

    public boolean boolOr(String field, boolean fallback) {
        var value = optionalBool(field);
        return value == null ? fallback : value;
    }

    public @Nullable Long optionalInteger(String field) {
        var node = node(field);
        if (node == null) {
            return null;
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw wrongType(field, "an integer");
        }
        return node.longValue();
    }

    public JsonBody object(String field) {
        return required(field, optionalObject(field));
    }

    public @Nullable JsonBody optionalObject(String field) {
        var node = node(field);
        if (node == null) {
            return null;
        }
        if (node instanceof ObjectNode object) {
            return new JsonBody(object);
        }
        throw wrongType(field, "an object");
    }

    /** The strings of an array; empty if absent. */
    public List<String> strings(String field) {
        var all = new ArrayList<String>();
        for (var element : elements(field)) {
            if (!element.isString()) {
                throw wrongType(field, "an array of strings");
            }
            all.add(element.stringValue());
        }
        return all;
    }

    /** The objects of an array; empty if absent. */
    public List<JsonBody> objects(String field) {
        var all = new ArrayList<JsonBody>();
        for (var element : elements(field)) {
            if (!(element instanceof ObjectNode object)) {
                throw wrongType(field, "an array of objects");
            }
            all.add(new JsonBody(object));
        }
        return all;
    }

    private Iterable<JsonNode> elements(String field) {
        var node = node(field);
        if (node == null) {
            return List.of();
        }
        if (!node.isArray()) {
            throw wrongType(field, "an array");
        }
        return node;
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

    private static ApiException wrongType(String field, String type) {
        return new ApiException(ErrorCode.M_BAD_JSON, "the field " + field + " must be " + type);
    }
}
