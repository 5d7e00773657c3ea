package rookery.sync.answer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.model.id.RoomId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.ring.RoomPart;

/**
 * What the room log has for a reader in what a look is about, or in those of the rooms that a part of the answer tells.
 *
 * @param rooms those in which the reader is shown something new, or all
 * @param receipts by room, also of rooms that are not among those: all that the reader may see; where the filter wants none, perhaps
 *     only the reader's own
 */
public record RoomChanges(List<RoomPart> rooms, Map<RoomId, List<Receipt>> receipts) {
    /** None yet. */
    RoomChanges() {
        this(new ArrayList<>(), new HashMap<>());
    }

    /** Adds others to these. */
    RoomChanges plus(RoomChanges others) {
        rooms.addAll(others.rooms);
        receipts.putAll(others.receipts);
        return this;
    }
}
