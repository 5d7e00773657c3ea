package rookery.sync.sync;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.stream.ReceiptEvents;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Section;

/**
 * What happens in rooms without being an event of theirs (CONTRACT.md 10.5): like account data it makes a joined room appear, and
 * never a timeline.
 *
 * @param rooms with those of which nothing else is told
 * @param told by room, as text
 */
record EphemeralPart(List<RoomPart> rooms, Map<RoomId, List<String>> told) {
    static EphemeralPart of(
            Poll poll,
            @Nullable SyncToken since,
            SyncToken next,
            List<RoomPart> rooms,
            Map<RoomId, List<Receipt>> receipts) {
        var told = new HashMap<RoomId, List<String>>();
        receipts.forEach((room, changed) -> {
            if (takesReceipts(poll, room) && !changed.isEmpty()) {
                told.put(room, limited(poll, ReceiptEvents.of(changed)));
            }
        });
        var all = new ArrayList<>(rooms);
        var alone = new HashSet<>(told.keySet());
        rooms.stream().filter(part -> part.section() == Section.JOIN).forEach(part -> alone.remove(part.room()));
        for (var room : alone) {
            var part = DataPart.alone(poll, since, next, room);
            if (part != null) {
                all.add(part);
            }
        }
        return new EphemeralPart(all, told);
    }

    static boolean takesReceipts(Poll poll, RoomId room) {
        return takes(poll, room, ReceiptEvents.TYPE);
    }

    private static boolean takes(Poll poll, RoomId room, String type) {
        var filter = poll.filter.room();
        return filter.passesRoom(room)
                && filter.ephemeral().passesRoom(room)
                && filter.ephemeral().passesType(type);
    }

    private static List<String> limited(Poll poll, List<String> events) {
        var limit = poll.filter.room().ephemeral().limit();
        return limit == null || limit >= events.size() ? events : events.subList(0, Math.max(limit, 1));
    }
}
