package rookery.push.count;

import rookery.model.id.UserId;

/** Somebody in a room, or who was, or may be. */
record RoomUser(RoomKey room, UserId user) {
    Who who() {
        return new Who(room.tenant(), user);
    }
}
