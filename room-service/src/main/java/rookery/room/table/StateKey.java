package rookery.room.table;

import rookery.model.event.EventTypes;
import rookery.model.id.UserId;

/** Which piece of a room's state: one event of this type and key is in force at a time. */
public record StateKey(String type, String key) {
    /** The piece of state of a type of which a room has one, such as its name. */
    public static StateKey of(String type) {
        return new StateKey(type, "");
    }

    /** The membership of a user. */
    public static StateKey member(UserId user) {
        return new StateKey(EventTypes.MEMBER, user.value());
    }
}
