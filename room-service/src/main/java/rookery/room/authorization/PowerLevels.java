// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The power of users, and the power that actions require (contract.md 9.5).
 *
 * @param unbounded the users with more power than any number
 * @param users power by user id
 * @param events power required to send an event, by event type
 * @param unusualNotifications power required to notify, by kind, where the power is not the default
 */
public record PowerLevels(
        Set<UserId> unbounded,
        Map<String, Long> users,
        long usersDefault,
        Map<String, Long> events,
        long eventsDefault,
        long stateDefault,
        long ban,
        long kick,
        long redact,
        long invite,
        Map<String, Long> unusualNotifications) {
    private static final long MODERATOR = 50;
    private static final long CREATOR = 100;
    private static final int KINDS_MAX = 20;
    private static final int KIND_CHARACTERS_MAX = 64;
    private static final Comparator<Map.Entry<String, Long>> STANDARD_FIRST = Comparator.comparing(
                    (Map.Entry<String, Long> level) -> !level.getKey().equals("room"))
            .thenComparing(Map.Entry::getKey);

    /** The power of creators from room version 12 on: above all power levels, which have at most 53 bits. */
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * The levels of an accepted event's content; absent keys get the specification's defaults.
     *
     * @param content null for a room without {@code m.room.power_levels}, in which the creator may do everything
     */
    public static PowerLevels of(Creators creators, @Nullable ObjectNode content) {
        var levels = content == null ? JsonNodeFactory.instance.objectNode() : content;
        var creator = creators.sender();
        boolean isDefault = content == null && creators.unbounded().isEmpty();
        return new PowerLevels(
                creators.unbounded(),
                isDefault && creator != null ? Map.of(creator.value(), CREATOR) : levels(levels.get("users")),
                level(levels, "users_default", 0),
                levels(levels.get("events")),
                level(levels, "events_default", 0),
                level(levels, "state_default", MODERATOR),
                level(levels, "ban", MODERATOR),
                level(levels, "kick", MODERATOR),
                level(levels, "redact", MODERATOR),
                level(levels, "invite", 0),
                unusual(levels(levels.get("notifications"))));
    }

    public long of(UserId user) {
        return unbounded.contains(user) ? UNBOUNDED : users.getOrDefault(user.value(), usersDefault);
    }

    /** The power required to send an event of the type. */
    public long required(String type, boolean isState) {
        return events.getOrDefault(type, isState ? stateDefault : eventsDefault);
    }

    /** Every event of the room carries the levels, so of thousands of kinds only the standard's and some others are kept. */
    private static Map<String, Long> unusual(Map<String, Long> notifications) {
        return notifications.entrySet().stream()
                .filter(level -> level.getValue() != MODERATOR)
                .filter(level -> level.getKey().length() <= KIND_CHARACTERS_MAX)
                .sorted(STANDARD_FIRST)
                .limit(KINDS_MAX)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
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
