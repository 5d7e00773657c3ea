// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import tools.jackson.databind.node.ObjectNode;

/**
 * The id and the create event of a room that does not exist yet.
 *
 * @param event the id of the create event; from room version 12 on the same hash as the room id
 * @param content of the create event
 * @param madeAtMillis the time of the first events, because the hash of a create event includes the event's time
 */
public record NewRoom(RoomId room, EventId event, ObjectNode content, long madeAtMillis) {}
