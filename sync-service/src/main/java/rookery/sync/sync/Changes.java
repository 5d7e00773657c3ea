package rookery.sync.sync;

import java.util.List;
import java.util.Map;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.stream.RoomPart;
import rookery.sync.unread.Counts;

/**
 * What a reader has not been told yet, up to a position.
 *
 * @param next where the reader stands once told
 * @param whole whether this is the whole picture, and not what changed in it
 * @param data global account data that is new and wanted
 * @param roomData account data of the rooms above that is new and wanted
 * @param ephemeral what of the rooms above is no event of theirs: receipts and typing, as text
 * @param presence how those are who are in a room with the reader
 * @param unread what is unread in the joined rooms above; absent where nothing is
 */
record Changes(
        SyncToken next,
        boolean whole,
        List<RoomPart> rooms,
        List<Item> data,
        Map<RoomId, List<Item>> roomData,
        Map<RoomId, List<String>> ephemeral,
        PresencePart.Told presence,
        Map<RoomId, Counts> unread) {
    /** One whose presence and counts are not known yet. */
    Changes(
            SyncToken next,
            boolean whole,
            List<RoomPart> rooms,
            List<Item> data,
            Map<RoomId, List<Item>> roomData,
            Map<RoomId, List<String>> ephemeral) {
        this(next, whole, rooms, data, roomData, ephemeral, PresencePart.Told.NOTHING, Map.of());
    }

    /** The same, with how others are. */
    Changes with(PresencePart.Told told) {
        return new Changes(next, whole, rooms, data, roomData, ephemeral, told, unread);
    }

    /** The same with counts, with rooms of which nothing else is told, and with a token that says so. */
    Changes with(SyncToken after, List<RoomPart> allRooms, Map<RoomId, Counts> counts) {
        return new Changes(after, whole, allRooms, data, roomData, ephemeral, presence, counts);
    }

    /**
     * Where a reader goes on who is told nothing of it: presence that is not worth an answer of its own is found once more, for the
     * answer that is sent.
     */
    SyncToken untold(SyncToken since) {
        var mark = next.typing();
        if (mark == null || presence.events().isEmpty()) {
            return next;
        }
        var before = since.typing();
        return next.with(mark.withPresence(before == null || before.node() != mark.node() ? 0 : before.presence()));
    }

    /** The same, if nothing of it is worth telling, for as long as the request waits: presence may be told when its time is up. */
    Changes whileWaiting() {
        return new Changes(next, false, List.of(), List.of(), Map.of(), Map.of(), presence, Map.of());
    }

    /** Whether there is something that is worth an answer. */
    boolean isWorthTelling() {
        return whole || !rooms.isEmpty() || !data.isEmpty() || presence.isWorthTelling();
    }
}
