package rookery.room.roomlog;

import rookery.model.event.EventTypes;
import rookery.model.id.UserId;

/** Which piece of a room's state: one event of this type and key is in force at a time. */
public record StateKey(String type, String key) {
    static StateKey of(String type) {
        return new StateKey(type, "");
    }

    static StateKey member(UserId user) {
        return new StateKey(EventTypes.MEMBER, user.value());
    }
}
