// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

/** The stored parts of a push: the content of an event and the tweaks of a verdict, as JSON text. */
final class PushPayload {
    private static final int CONTENT_BYTES_MAX = 4096;
    private static final JsonMapper JSON = JsonMapper.shared();

    private PushPayload() {}

    /** The part of the notification that is the same for all users. */
    static String of(UnitEvent event) {
        var json = JSON.createObjectNode();
        json.put("type", event.type());
        json.put("sender", event.sender().value());
        putUnlessNull(json, "sender_display_name", event.senderDisplayName());
        putUnlessNull(json, "room_name", event.roomName());
        putUnlessNull(json, "room_alias", event.roomAlias());
        if (event.contentJson().getBytes(StandardCharsets.UTF_8).length <= CONTENT_BYTES_MAX) {
            json.set("content", JSON.readTree(event.contentJson()));
        }
        return JSON.writeValueAsString(json);
    }

    private static void putUnlessNull(ObjectNode json, String field, @Nullable String value) {
        if (value != null) {
            json.put(field, value);
        }
    }

    /** The rule's tweaks; the last of several tweaks with one name wins. */
    static String tweaks(List<Object> actions) {
        var tweaks = JSON.createObjectNode();
        for (var action : actions) {
            if (action instanceof Map<?, ?> tweak && tweak.get("set_tweak") instanceof String name) {
                var value = tweak.get("value");
                tweaks.set(
                        name, value == null && name.equals("highlight") ? BooleanNode.TRUE : JSON.valueToTree(value));
            }
        }
        return JSON.writeValueAsString(tweaks);
    }
}
