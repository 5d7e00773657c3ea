package rookery.sync.presence;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Presence as {@code m.presence} events (contract.md 13.5). */
public final class PresenceText {
    public static final String TYPE = "m.presence";

    private static final long ACTIVE_MILLIS = Duration.ofMinutes(1).toMillis();

    private PresenceText() {}

    /** The event, with times relative to now. */
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

    /** The value of {@code currently_active}. */
    public static boolean isActive(PresenceSet said, long agoMillis) {
        return said.state().equals(PresenceState.ONLINE) && agoMillis < ACTIVE_MILLIS;
    }
}
