// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import rookery.model.id.EventId;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state event in force for a key.
 *
 * @param visibility history visibility in force at the event
 */
public record StateValue(EventId eventId, long pos, UserId sender, String visibility, ObjectNode content) {
    public StateValue withContent(ObjectNode other) {
        return new StateValue(eventId, pos, sender, visibility, other);
    }
}
