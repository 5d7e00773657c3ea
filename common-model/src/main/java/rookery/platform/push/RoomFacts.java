package rookery.platform.push;

import java.util.Map;

/**
 * What rules ask about the room, as of the event.
 *
 * @param joined number of joined members
 * @param senderLevel the sender's power level
 * @param notifications the levels under {@code notifications} of the power levels, such as {@code room}
 */
public record RoomFacts(long joined, long senderLevel, Map<String, Long> notifications) {
    private static final long LEVEL_DEFAULT = 50;

    /** Levels are copied. */
    public RoomFacts {
        notifications = Map.copyOf(notifications);
    }

    /** Whether the sender may notify in that way; {@code room} is to notify all members. */
    boolean senderMay(String key) {
        return senderLevel >= notifications.getOrDefault(key, LEVEL_DEFAULT);
    }
}
