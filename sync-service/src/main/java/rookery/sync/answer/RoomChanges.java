// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.model.id.RoomId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.ring.RoomPart;

/**
 * The room log's content for one look, or for the rooms in one part of a complete answer.
 *
 * @param receipts visible receipts by room, also for rooms without new events; at least the reader's own
 */
public record RoomChanges(List<RoomPart> rooms, Map<RoomId, List<Receipt>> receipts) {
    RoomChanges() {
        this(new ArrayList<>(), new HashMap<>());
    }

    RoomChanges plus(RoomChanges others) {
        rooms.addAll(others.rooms);
        receipts.putAll(others.receipts);
        return this;
    }
}
