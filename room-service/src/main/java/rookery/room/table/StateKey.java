// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import rookery.model.event.EventTypes;
import rookery.model.id.UserId;

/** The key of a piece of state: one event for each type and key is in force at a time. */
public record StateKey(String type, String key) {
    /** The key of a type with an empty state key, such as the room's name. */
    public static StateKey of(String type) {
        return new StateKey(type, "");
    }

    public static StateKey member(UserId user) {
        return new StateKey(EventTypes.MEMBER, user.value());
    }
}
