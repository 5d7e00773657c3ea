package rookery.room.roomlog;

import rookery.model.id.EventId;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state event in force for a key.
 *
 * @param visibility history visibility in force at the event
 */
record StateValue(EventId eventId, long pos, UserId sender, String visibility, ObjectNode content) {
    StateValue withContent(ObjectNode other) {
        return new StateValue(eventId, pos, sender, visibility, other);
    }
}
