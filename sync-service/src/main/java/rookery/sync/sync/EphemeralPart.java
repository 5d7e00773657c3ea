package rookery.sync.sync;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.token.SyncToken;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.stream.ReceiptEvents;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.typing.TypingSets;
import tools.jackson.databind.json.JsonMapper;

/**
 * What happens in rooms without being an event of theirs (CONTRACT.md 10.5): like account data it makes a joined room appear, and
 * never a timeline.
 *
 * @param rooms with those of which nothing else is told
 * @param told by room, as text
 */
record EphemeralPart(List<RoomPart> rooms, Map<RoomId, List<String>> told) {
    private static final String TYPING = "m.typing";

    static EphemeralPart of(
            Poll poll,
            @Nullable SyncToken since,
            SyncToken next,
            List<RoomPart> rooms,
            Map<RoomId, List<Receipt>> receipts,
            TypingSets typing) {
        var joined = since == null ? joined(rooms) : poll.inbox.standings().joinedRooms(next.rooms());
        var told = told(poll, typing(poll, since, next, joined, typing), receipts);
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

    /** Of these rooms only, for an answer that tells of all rooms a few at a time. */
    static EphemeralPart ofThese(
            Poll poll,
            @Nullable SyncToken since,
            SyncToken next,
            List<RoomPart> rooms,
            Map<RoomId, List<Receipt>> receipts,
            TypingSets typing) {
        return new EphemeralPart(rooms, told(poll, typing(poll, since, next, joined(rooms), typing), receipts));
    }

    private static List<RoomId> joined(List<RoomPart> rooms) {
        return rooms.stream()
                .filter(part -> part.section() == Section.JOIN)
                .map(RoomPart::room)
                .toList();
    }

    /**
     * Receipts are told even where they are more events than the filter wants, because nobody would hear of them again; then typing,
     * where there is room for it.
     */
    private static Map<RoomId, List<String>> told(
            Poll poll, Map<RoomId, String> typing, Map<RoomId, List<Receipt>> receipts) {
        var told = new LinkedHashMap<RoomId, List<String>>();
        receipts.forEach((room, changed) -> {
            if (!changed.isEmpty() && takesReceipts(poll, room)) {
                told.put(room, new ArrayList<>(ReceiptEvents.of(changed)));
            }
        });
        var limit = poll.filter.room().ephemeral().limit();
        typing.forEach((room, event) -> {
            var events = told.computeIfAbsent(room, _ -> new ArrayList<>());
            if (limit == null || events.isEmpty() || events.size() < limit) {
                events.add(event);
            }
        });
        return told;
    }

    private static Map<RoomId, String> typing(
            Poll poll, @Nullable SyncToken since, SyncToken next, List<RoomId> joined, TypingSets typing) {
        var told = new LinkedHashMap<RoomId, String>();
        var mark = next.typing();
        if (mark == null) {
            return told;
        }
        var ignored = poll.ignored();
        var last = since == null ? null : since.typing();
        for (var room : typing.lately(poll.owner.tenant(), joined, last)) {
            boolean fresh = DataPart.isNew(poll, since, next, room);
            var users = takes(poll, room, TYPING)
                    ? typing.told(new TypingSets.Room(poll.owner.tenant(), room), last, mark, ignored, fresh)
                    : null;
            if (users != null) {
                told.put(room, event(users));
            }
        }
        return told;
    }

    private static String event(List<UserId> users) {
        var event = JsonMapper.shared().createObjectNode().put("type", TYPING);
        var ids = event.putObject("content").putArray("user_ids");
        users.forEach(user -> ids.add(user.value()));
        return event.toString();
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
}
