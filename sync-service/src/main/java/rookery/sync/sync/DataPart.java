package rookery.sync.sync;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Section;

/** Adds account data to what is told of rooms: it alone makes a joined room appear. */
final class DataPart {
    private final Poll poll;
    private final @Nullable SyncToken since;
    private final SyncToken next;
    private final boolean tellsAll;
    private final List<Item> global = new ArrayList<>();
    private final Map<RoomId, List<Item>> changedByRoom = new HashMap<>();
    private final Map<RoomId, List<Item>> told = new HashMap<>();

    private DataPart(Poll poll, @Nullable SyncToken since, SyncToken next) {
        this.poll = poll;
        this.since = since;
        this.next = next;
        this.tellsAll = since == null || poll.query.fullState();
    }

    /** @param since null for the whole picture */
    static Changes added(Poll poll, @Nullable SyncToken since, SyncToken next, EphemeralPart ephemeral) {
        var part = new DataPart(poll, since, next);
        part.sortChanged();
        var all = part.withRooms(ephemeral.rooms());
        return new Changes(next, since == null, all, part.global, part.told, ephemeral.told());
    }

    /** Types that are in every answer, whatever the filter says (D18). */
    static boolean isInjected(String type) {
        return type.equals(AccountDataTypes.PUSH_RULES) || type.equals(AccountDataTypes.IGNORED_USERS);
    }

    private void sortChanged() {
        long from = since == null ? 0 : since.userPos();
        var filter = poll.filter.accountData();
        for (var item : poll.inbox.data().changed(from, next.userPos())) {
            if (item.room() != null) {
                changedByRoom
                        .computeIfAbsent(item.room(), _ -> new ArrayList<>())
                        .add(item);
            } else if (isInjected(item.type()) || filter.passesType(item.type())) {
                global.add(item);
            }
        }
    }

    private List<RoomPart> withRooms(List<RoomPart> rooms) {
        var all = new ArrayList<>(rooms);
        for (var room : rooms) {
            var changed = changedByRoom.remove(room.room());
            if (room.section() == Section.JOIN && isNew(poll, since, next, room.room())) {
                tell(room.room(), poll.inbox.data().of(room.room()));
            } else if (changed != null && (room.section() == Section.JOIN || room.section() == Section.LEAVE)) {
                tell(room.room(), changed);
            }
        }
        if (tellsAll) {
            return all; // every room of the reader comes with this part or with another one
        }
        changedByRoom.forEach((room, items) -> {
            var alone = alone(poll, since, next, room);
            if (alone != null && tell(room, items)) {
                all.add(alone);
            }
        });
        return all;
    }

    /** Whether the reader knows nothing of the room yet. */
    static boolean isNew(Poll poll, @Nullable SyncToken since, SyncToken next, RoomId room) {
        var joined = since == null ? null : poll.inbox.standings().joined(room, next.rooms());
        return since == null
                || joined == null
                || joined.joinedFrom() > since.rooms().at(joined.shard());
    }

    private boolean tell(RoomId room, List<Item> items) {
        var filter = poll.filter.room().accountData();
        var wanted = items.stream()
                .filter(item -> filter.passesRoom(room) && filter.passesType(item.type()))
                .toList();
        if (!wanted.isEmpty()) {
            told.put(room, wanted);
        }
        return !wanted.isEmpty();
    }

    /** A joined room of which nothing else is told. */
    static @Nullable RoomPart alone(Poll poll, @Nullable SyncToken since, SyncToken next, RoomId room) {
        var joined = poll.inbox.standings().joined(room, next.rooms());
        if (joined == null || since == null || !poll.filter.room().passesRoom(room)) {
            return null;
        }
        long prevPos = since.rooms().at(joined.shard());
        return new RoomPart(room, joined.shard(), Section.JOIN, List.of(), false, prevPos, List.of(), null, null);
    }
}
