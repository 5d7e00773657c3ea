// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

import java.util.Set;

/** The events by which clients sort their rooms (MSC4186, {@code bump_stamp}). */
public final class Activity {
    public static final Set<String> TYPES = Set.of(
            EventTypes.CREATE,
            EventTypes.MESSAGE,
            EventTypes.ENCRYPTED,
            "m.sticker",
            "m.call.invite",
            "m.poll.start",
            "org.matrix.msc3381.poll.start",
            "m.beacon_info",
            "org.matrix.msc3672.beacon_info");

    private Activity() {}
}
