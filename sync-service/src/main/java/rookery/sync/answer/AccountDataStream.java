package rookery.sync.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.sync.answer.Answer.Room;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.stream.RoomPart.Section;
import tools.jackson.core.JsonGenerator;

/** Account data, global and of rooms, as far as it changed. Push rules and ignore list are in every answer (contract.md D18). */
@Component
@Order(40)
class AccountDataStream implements SyncStream {
    private static final ContentKey<List<Item>> GLOBAL = new ContentKey<>("global account data");
    private static final ContentKey<List<Item>> OF_ROOM = new ContentKey<>("account data of a room");

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        var changed = changed(look);
        if (!changed.isEmpty()) {
            var filter = look.poll().filter.accountData();
            var wanted = changed.stream()
                    .filter(item -> item.room() == null)
                    .filter(item -> isInjected(item.type()) || filter.passesType(item.type()))
                    .toList();
            if (!wanted.isEmpty()) {
                answer.put(GLOBAL, wanted);
            }
        }
        return DONE;
    }

    @Override
    public boolean isWorthTelling(Answer answer) {
        return answer.get(GLOBAL) != null;
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        var changed = changedByRoom(look);
        for (var room : answer.rooms()) {
            var items = changed.remove(room.id());
            if (room.isIn(Section.JOIN) && look.isNew(room.id())) {
                put(room, wanted(look, room.id(), look.inbox().data().of(room.id())));
            } else if (items != null && (room.isIn(Section.JOIN) || room.isIn(Section.LEAVE))) {
                put(room, wanted(look, room.id(), items));
            }
        }
        if (look.tellsAll()) {
            return DONE; // every other room of the reader comes with another part
        }
        changed.forEach((id, items) -> {
            var wanted = wanted(look, id, items);
            var room = wanted.isEmpty() ? null : answer.joined(look, id);
            if (room != null) {
                put(room, wanted);
            }
        });
        return DONE;
    }

    private static void put(Room room, List<Item> items) {
        if (!items.isEmpty()) {
            room.put(OF_ROOM, items);
        }
    }

    private static List<Item> wanted(Look look, RoomId room, List<Item> items) {
        var filter = look.poll().filter.room().accountData();
        return items.stream()
                .filter(item -> filter.passesRoom(room) && filter.passesType(item.type()))
                .toList();
    }

    private static Map<RoomId, List<Item>> changedByRoom(Look look) {
        var byRoom = new LinkedHashMap<RoomId, List<Item>>();
        for (var item : changed(look)) {
            if (item.room() != null) {
                byRoom.computeIfAbsent(item.room(), _ -> new ArrayList<>()).add(item);
            }
        }
        return byRoom;
    }

    private static List<Item> changed(Look look) {
        long since = look.since() == null ? 0 : look.since().userPos();
        long upto = look.next().userPos();
        return upto <= since ? List.of() : look.inbox().data().changed(since, upto);
    }

    private static boolean isInjected(String type) {
        return type.equals(AccountDataTypes.PUSH_RULES) || type.equals(AccountDataTypes.IGNORED_USERS);
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        json.writeObjectPropertyStart("account_data");
        json.writeArrayPropertyStart("events");
        for (var item : itemsOf(answer.get(GLOBAL))) {
            if (!isInjected(item.type())) {
                write(item.type(), item.content(), json);
            }
        }
        var rules = poll.inbox.data().pushRules();
        if (rules != null) { // no rules at all would silence the client: it keeps those that it has
            write(AccountDataTypes.PUSH_RULES, rules.json(), json);
        }
        write(AccountDataTypes.IGNORED_USERS, poll.settings().ignoreList(), json);
        json.writeEndArray();
        json.writeEndObject();
    }

    @Override
    public void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        if (room.isIn(Section.JOIN) || room.isIn(Section.LEAVE)) {
            json.writeObjectPropertyStart("account_data");
            json.writeArrayPropertyStart("events");
            itemsOf(room.get(OF_ROOM)).forEach(item -> write(item.type(), item.content(), json));
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static List<Item> itemsOf(@Nullable List<Item> items) {
        return items == null ? List.of() : items;
    }

    private static void write(String type, String content, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("type", type);
        json.writeName("content");
        json.writeRawValue(content);
        json.writeEndObject();
    }
}
