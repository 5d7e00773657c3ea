// SPDX-License-Identifier: Apache-2.0
package rookery.sync.presence;

import java.time.Duration;
import java.util.Objects;
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
    public static String event(PresenceSet presence, long nowMillis) {
        long ago = Math.max(0, nowMillis - presence.activeTs());
        var event = JsonMapper.shared().createObjectNode();
        event.put("type", TYPE).put("sender", presence.user().value());
        var content = event.putObject("content").put("presence", presence.state());
        if (presence.activeTs() > 0) {
            content.put("last_active_ago", ago);
        }
        content.put("currently_active", isActive(presence, ago));
        put(content, "status_msg", presence.statusMsg());
        put(content, "displayname", presence.displayname());
        put(content, "avatar_url", presence.avatarUrl());
        return event.toString();
    }

    private static void put(ObjectNode content, String name, @Nullable String value) {
        if (value != null) {
            content.put(name, value);
        }
    }

    /** Whether clients see no difference, apart from times. */
    public static boolean areEqual(PresenceSet a, PresenceSet b) {
        return a.state().equals(b.state())
                && Objects.equals(a.statusMsg(), b.statusMsg())
                && Objects.equals(a.displayname(), b.displayname())
                && Objects.equals(a.avatarUrl(), b.avatarUrl());
    }

    /** The value of {@code currently_active}. */
    public static boolean isActive(PresenceSet presence, long agoMillis) {
        return presence.state().equals(PresenceState.ONLINE) && agoMillis < ACTIVE_MILLIS;
    }
}
