// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses push rules from clients (contract.md 12.1). Fields of the specification are validated; unknown values are kept. */
final class RuleReader {
    private static final int ID_BYTES_MAX = 255;
    private static final int RULE_BYTES_MAX = 4096;
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<List<Object>> ACTIONS = new TypeReference<>() {};
    private static final TypeReference<List<Map<String, Object>>> CONDITIONS = new TypeReference<>() {};

    private RuleReader() {}

    /** A rule of the user, enabled by default. M_INVALID_PARAM for an id that users' rules cannot have. */
    static PushRule rule(RuleKind kind, RuleId id, JsonBody body) {
        requireOwn(kind, id);
        var actions = actions(body);
        var pattern = kind == RuleKind.CONTENT ? body.string("pattern") : null;
        var conditions = hasConditions(kind) ? conditions(body) : null;
        var rule = new PushRule(id, false, !Boolean.FALSE.equals(enabled(body)), actions, conditions, pattern);
        requireSize(JSON.valueToTree(rule));
        return rule;
    }

    private static boolean hasConditions(RuleKind kind) {
        return kind == RuleKind.OVERRIDE || kind == RuleKind.UNDERRIDE;
    }

    /** Null if the field is no boolean: then a new rule is enabled, and an existing rule keeps its value (contract.md D21). */
    static @Nullable Boolean enabled(JsonBody body) {
        var enabled = body.json().path("enabled");
        return enabled.isBoolean() ? (Boolean) enabled.booleanValue() : null;
    }

    static List<Object> actions(JsonBody body) {
        var actions = array(body, "actions");
        if (actions == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field actions is missing");
        }
        actions.forEach(RuleReader::requireAction);
        requireSize(actions);
        return JSON.treeToValue(actions, ACTIONS);
    }

    private static List<Map<String, Object>> conditions(JsonBody body) {
        var conditions = array(body, "conditions");
        if (conditions == null) {
            return List.of();
        }
        conditions.forEach(RuleReader::requireCondition);
        requireSize(conditions);
        return JSON.treeToValue(conditions, CONDITIONS);
    }

    private static @Nullable JsonNode array(JsonBody body, String field) {
        var node = body.json().get(field);
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isArray()) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "the field " + field + " must be an array");
        }
        return node;
    }

    private static void requireAction(JsonNode action) {
        if (action.isString()) {
            return;
        }
        if (!action.path("set_tweak").isString()) {
            throw invalid("an action is a string, or an object with set_tweak");
        }
        var value = action.get("value");
        if (value == null || value.isNull()) {
            return;
        }
        switch (action.path("set_tweak").stringValue()) {
            case "sound" -> require(value.isString(), "the value of the tweak sound is a string");
            case "highlight" -> require(value.isBoolean(), "the value of the tweak highlight is true or false");
            default -> {
                // other tweaks are for the push gateway
            }
        }
    }

    private static void requireCondition(JsonNode condition) {
        if (!condition.path("kind").isString()) {
            throw invalid("a condition is an object with a kind");
        }
        var kind = condition.path("kind").stringValue();
        switch (kind) {
            case "event_match" -> requireStrings(condition, kind, "key", "pattern");
            case "event_property_is", "event_property_contains" -> {
                requireStrings(condition, kind, "key");
                var value = condition.get("value");
                require(
                        value != null && value.isValueNode() && !value.isFloatingPointNumber(),
                        kind + " needs a value that is a string, an integer, a boolean or null");
            }
            case "room_member_count" -> requireStrings(condition, kind, "is");
            case "sender_notification_permission" -> requireStrings(condition, kind, "key");
            default -> {
                // contains_display_name has no fields; an unknown kind never matches
            }
        }
    }

    private static void requireStrings(JsonNode condition, String kind, String... fields) {
        for (var field : fields) {
            require(condition.path(field).isString(), kind + " needs a string " + field);
        }
    }

    private static void requireOwn(RuleKind kind, RuleId id) {
        var text = id.value();
        require(!id.isOfDefault(), "ids of rules that begin with a dot are the server's");
        require(text.indexOf('/') < 0 && text.indexOf('\\') < 0, "the id of a rule has no slash and no backslash");
        require(
                text.getBytes(StandardCharsets.UTF_8).length <= ID_BYTES_MAX,
                "the id of a rule has at most " + ID_BYTES_MAX + " bytes");
        switch (kind) {
            case ROOM -> new RoomId(text);
            case SENDER -> new UserId(text);
            case OVERRIDE, CONTENT, UNDERRIDE -> {}
        }
    }

    /** Also validates strings and numbers. */
    private static void requireSize(JsonNode part) {
        if (CanonicalJson.writeWithFloats(part).getBytes(StandardCharsets.UTF_8).length > RULE_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "a push rule has at most " + RULE_BYTES_MAX + " bytes");
        }
    }

    private static void require(boolean condition, String reason) {
        if (!condition) {
            throw invalid(reason);
        }
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
