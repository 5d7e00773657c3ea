// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.Map;

/**
 * The state of the room at the event, for conditions.
 *
 * @param joined number of joined members
 * @param senderLevel the sender's power level
 * @param notifications the levels under {@code notifications} of the power levels, such as {@code room}
 */
public record RoomFacts(long joined, long senderLevel, Map<String, Long> notifications) {
    private static final long LEVEL_DEFAULT = 50;

    public RoomFacts {
        notifications = Map.copyOf(notifications);
    }

    /** Whether the sender's power level permits that kind of notification; {@code room} notifies all members. */
    boolean senderMay(String key) {
        return senderLevel >= notifications.getOrDefault(key, LEVEL_DEFAULT);
    }
}
