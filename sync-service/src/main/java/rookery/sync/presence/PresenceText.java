package rookery.sync.presence;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Presence as clients get it (contract.md 13.5). */
public final class PresenceText {
    /** The type of the event. */
    public static final String TYPE = "m.presence";

    private static final long ACTIVE_MILLIS = Duration.ofMinutes(1).toMillis();

    private PresenceText() {}

    /** The event at this time. */
    public static String event(PresenceSet said, long nowMillis) {
        long ago = Math.max(0, nowMillis - said.activeTs());
        var event = JsonMapper.shared().createObjectNode();
        event.put("type", TYPE).put("sender", said.user().value());
        var content = event.putObject("content").put("presence", said.state());
        if (said.activeTs() > 0) {
            content.put("last_active_ago", ago);
        }
        content.put("currently_active", isActive(said, ago));
        put(content, "status_msg", said.statusMsg());
        put(content, "displayname", said.displayname());
        put(content, "avatar_url", said.avatarUrl());
        return event.toString();
    }

    private static void put(ObjectNode content, String name, @Nullable String value) {
        if (value != null) {
            content.put(name, value);
        }
    }

    /** Whether the user is at it at this moment. */
    public static boolean isActive(PresenceSet said, long agoMillis) {
        return said.state().equals(PresenceState.ONLINE) && agoMillis < ACTIVE_MILLIS;
    }
}
