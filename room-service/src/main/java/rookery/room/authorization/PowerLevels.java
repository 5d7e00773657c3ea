// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The power of users, and the power that actions require (contract.md 9.5).
 *
 * @param users power by user id
 * @param events power required to send an event, by event type
 * @param notifications power required to notify, by kind
 */
public record PowerLevels(
        Map<String, Long> users,
        long usersDefault,
        Map<String, Long> events,
        long eventsDefault,
        long stateDefault,
        long ban,
        long kick,
        long redact,
        long invite,
        Map<String, Long> notifications) {
    private static final long MODERATOR = 50;
    private static final long CREATOR = 100;

    /** The levels of a room without {@code m.room.power_levels}: the creator may do everything. */
    public static PowerLevels ofCreator(@Nullable UserId creator) {
        Map<String, Long> users = creator == null ? Map.of() : Map.of(creator.value(), CREATOR);
        return new PowerLevels(users, 0, Map.of(), 0, MODERATOR, MODERATOR, MODERATOR, MODERATOR, 0, Map.of());
    }

    /** The levels of an accepted event's content; absent keys get the specification's defaults. */
    public static PowerLevels of(ObjectNode content) {
        return new PowerLevels(
                levels(content.get("users")),
                level(content, "users_default", 0),
                levels(content.get("events")),
                level(content, "events_default", 0),
                level(content, "state_default", MODERATOR),
                level(content, "ban", MODERATOR),
                level(content, "kick", MODERATOR),
                level(content, "redact", MODERATOR),
                level(content, "invite", 0),
                levels(content.get("notifications")));
    }

    public long of(UserId user) {
        return users.getOrDefault(user.value(), usersDefault);
    }

    /** The power required to send an event of the type. */
    public long required(String type, boolean isState) {
        return events.getOrDefault(type, isState ? stateDefault : eventsDefault);
    }

    /** The required powers of notifications; empty where all of them are the default. */
    public Map<String, Long> unusualNotifications() {
        return notifications.values().stream().allMatch(level -> level == MODERATOR) ? Map.of() : notifications;
    }

    private static long level(ObjectNode content, String key, long fallback) {
        var node = content.get(key);
        return node != null && node.isIntegralNumber() ? node.longValue() : fallback;
    }

    private static Map<String, Long> levels(@Nullable JsonNode node) {
        var levels = new HashMap<String, Long>();
        if (node instanceof ObjectNode object) {
            for (var entry : object.properties()) {
                if (entry.getValue().isIntegralNumber()) {
                    levels.put(entry.getKey(), entry.getValue().longValue());
                }
            }
        }
        return Map.copyOf(levels);
    }
}
