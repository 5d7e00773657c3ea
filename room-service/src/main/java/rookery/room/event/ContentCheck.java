// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.AuthRules;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import tools.jackson.databind.node.ObjectNode;

/** Refuses events that are invalid in every room, before the lock (contract.md 9.2, 9.4, 15). Pure. */
public final class ContentCheck {
    private static final int NAME_BYTES_MAX = 255;
    private static final Set<String> NOT_MESSAGES = Set.of(
            EventTypes.MEMBER, EventTypes.CREATE, EventTypes.POWER_LEVELS, "m.typing", "m.receipt", "m.presence");

    private ContentCheck() {}

    /** For {@code /send}: M_INVALID_PARAM for types that are state only, or sent by the server only. */
    static void requireMessageType(String type) {
        if (NOT_MESSAGES.contains(type)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, type + " cannot be sent as a message");
        }
    }

    /** M_INVALID_PARAM for too long types and state keys, M_BAD_JSON for content without a canonical form, M_TOO_LARGE. */
    public static EventText checked(
            EventId id, TenantRoom room, String type, @Nullable String stateKey, UserId sender, ObjectNode content) {
        requireName(type, "the event type");
        if (type.isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the event type is empty");
        }
        if (stateKey != null) {
            requireName(stateKey, "the state key");
        }
        var text = EventText.of(room, type, stateKey, content);
        if (EventLine.bytes(id, room.room(), type, stateKey, sender, text) > EventLine.BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "an event has at most " + EventLine.BYTES_MAX + " bytes");
        }
        return text;
    }

    /** M_BAD_JSON for malformed content of state that the server evaluates. */
    public static void requireStateContent(String type, ObjectNode content) {
        String malformed = switch (type) {
            case EventTypes.POWER_LEVELS -> AuthRules.malformedPowerLevels(content);
            case EventTypes.JOIN_RULES -> textMissing(content, "join_rule");
            case EventTypes.HISTORY_VISIBILITY -> textMissing(content, "history_visibility");
            default -> null;
        };
        if (malformed != null) {
            throw new ApiException(ErrorCode.M_BAD_JSON, malformed);
        }
    }

    private static @Nullable String textMissing(ObjectNode content, String field) {
        return content.path(field).isString() ? null : field + " must be a string";
    }

    private static void requireName(String name, String what) {
        boolean broken = name.indexOf('\0') >= 0
                || name.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (broken || name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, what + " has at most " + NAME_BYTES_MAX + " bytes and no U+0000");
        }
    }
}
