// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON for a push gateway (contract.md 12.7). */
final class Notification {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String EVENT_ID_ONLY = "event_id_only";

    private Notification() {}

    /** The notification of an event; {@code unread} is null if unknown. */
    static byte[] of(DueUnit unit, Target target, String contentJson, @Nullable Integer unread) {
        var data = data(target);
        boolean isBare = EVENT_ID_ONLY.equals(data.path("format").asString(""));
        var notification = JSON.createObjectNode();
        notification.put("event_id", unit.event().value());
        notification.put("room_id", unit.room().value());
        var tweaks = JSON.readTree(unit.tweaks());
        if (!isBare) {
            var event = (ObjectNode) JSON.readTree(contentJson);
            notification.setAll(event);
            if (unit.userIsTarget()) {
                notification.put("user_is_target", true);
            }
            notification.put("prio", isUrgent(event.path("type").asString(""), tweaks) ? "high" : "low");
        }
        var counts = notification.putObject("counts");
        if (unread != null && unread > 0) {
            counts.put("unread", unread);
        }
        var device = device(notification, target, data);
        if (!isBare) {
            device.set("tweaks", tweaks);
        }
        return written(notification);
    }

    /** The notification of a changed count; zero is included, because it clears the badge. */
    static byte[] ofBadge(Target target, int unread) {
        var notification = JSON.createObjectNode();
        notification.putObject("counts").put("unread", unread);
        device(notification, target, data(target));
        notification.put("prio", "low");
        return written(notification);
    }

    private static boolean isUrgent(String type, JsonNode tweaks) {
        return tweaks.hasNonNull("sound")
                || tweaks.path("highlight").asBoolean(false)
                || type.equals("m.call.invite")
                || type.equals("m.room.encrypted");
    }

    private static ObjectNode device(ObjectNode notification, Target target, ObjectNode data) {
        return notification
                .putArray("devices")
                .addObject()
                .put("app_id", target.appId())
                .put("pushkey", target.pushkey())
                .put("pushkey_ts", target.setAt().getEpochSecond())
                .set("data", data)
                .asObject();
    }

    /** The pusher's data without {@code url}, which the gateway does not need. */
    private static ObjectNode data(Target target) {
        var data = (ObjectNode) JSON.readTree(target.described()).path("data");
        data.remove("url");
        return data;
    }

    private static byte[] written(ObjectNode notification) {
        return JSON.writeValueAsBytes(JSON.createObjectNode().set("notification", notification));
    }
}
