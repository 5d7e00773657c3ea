// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller.Prefix;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.token.Mark;
import rookery.model.token.SyncToken;
import rookery.sync.answer.Answer;
import rookery.sync.answer.Answer.Room;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.unread.RulesText;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Changed account data. Under Rookery's own prefix, push rules and ignore list are in every answer (contract.md D18). */
@Component
@Order(40)
class AccountDataStream implements SyncStream {
    private static final ContentKey<GlobalData> GLOBAL = new ContentKey<>("global account data");
    private static final ContentKey<List<Item>> OF_ROOM = new ContentKey<>("account data of a room");

    /** Value of {@link Mark#RULES_DOUBT}. */
    private static final long IN_DOUBT = 1;

    /** Global account data: the changed items, rules and ignore list where the answer needs them, and whether any is new. */
    private record GlobalData(
            List<Item> changed,
            @Nullable RulesText rules,
            @Nullable String ignoreList,
            boolean isNews) {}

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        boolean inEachAnswer = look.poll().prefix == Prefix.OWN;
        var changed = changed(look);
        if (changed.isEmpty() && (inEachAnswer || (look.since() != null && !isInDoubt(look)))) {
            return DONE;
        }
        var filter = look.poll().filter.accountData();
        var passing = changed.stream()
                .filter(item -> item.room() == null)
                .filter(item -> (inEachAnswer && isInjected(item.type())) || filter.passesType(item.type()))
                .toList();
        if (!inEachAnswer) {
            addAsStandard(look, passing, answer);
        } else if (!passing.isEmpty()) {
            answer.put(GLOBAL, new GlobalData(passing, null, null, true));
        }
        return DONE;
    }

    private static boolean isInDoubt(Look look) {
        return look.since() != null && look.since().marks().of(Mark.RULES_DOUBT) == IN_DOUBT;
    }

    /** Push rules and ignore list are in the initial answer, and later after each change, if the filter passes them. */
    private static void addAsStandard(Look look, List<Item> changed, Answer answer) {
        var settings = look.settings();
        boolean isFirst = look.since() == null;
        boolean areNowKnown = isInDoubt(look) && settings.hasRules();
        boolean withRules = look.poll().filter.accountData().passesType(AccountDataTypes.PUSH_RULES)
                && (isFirst || areNowKnown || has(changed, AccountDataTypes.PUSH_RULES));
        boolean withIgnoreList = look.poll().filter.accountData().passesType(AccountDataTypes.IGNORED_USERS)
                && (isFirst || has(changed, AccountDataTypes.IGNORED_USERS));
        if (withRules) {
            answer.mark(Mark.RULES_DOUBT, settings.hasRules() ? 0 : IN_DOUBT);
        }
        boolean isNews = !changed.isEmpty() || (withRules && areNowKnown);
        if (isFirst || isNews) {
            answer.put(
                    GLOBAL,
                    new GlobalData(
                            changed,
                            withRules ? settings.counts().rules() : null,
                            withIgnoreList ? settings.ignoreList() : null,
                            isNews));
        }
    }

    private static boolean has(List<Item> items, String type) {
        return items.stream().anyMatch(item -> item.type().equals(type));
    }

    @Override
    public Urgency urgency(Answer answer) {
        var data = answer.get(GLOBAL);
        return data != null && data.isNews ? Urgency.NOW : Urgency.NOTHING;
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        var changed = changedByRoom(look);
        for (var room : answer.rooms()) {
            var items = changed.remove(room.id());
            if (room.isIn(Section.JOIN) && look.isNew(room.id())) {
                put(
                        room,
                        passing(
                                look,
                                room.id(),
                                visible(look, look.inbox().data().of(room.id()))));
            } else if (items != null && (room.isIn(Section.JOIN) || room.isIn(Section.LEAVE))) {
                put(room, passing(look, room.id(), items));
            }
        }
        if (look.isComplete()) {
            return DONE; // other parts contain the other rooms
        }
        changed.forEach((id, items) -> {
            var passing = passing(look, id, items);
            var room = passing.isEmpty() ? null : answer.joined(look, id, Urgency.NOW);
            if (room != null) {
                put(room, passing);
            }
        });
        return DONE;
    }

    private static void put(Room room, List<Item> items) {
        if (!items.isEmpty()) {
            room.put(OF_ROOM, items);
            room.raise(Urgency.NOW);
        }
    }

    private List<Item> passing(Look look, RoomId room, List<Item> items) {
        if (!look.poll().takes(this, room)) {
            return List.of();
        }
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
        return upto <= since ? List.of() : visible(look, look.inbox().data().changed(since, upto));
    }

    /** An initial sync omits deleted data. */
    private static List<Item> visible(Look look, List<Item> items) {
        return look.since() != null
                ? items
                : items.stream()
                        .filter(item -> !item.content().equals(AccountDataTypes.DELETED))
                        .toList();
    }

    private static boolean isInjected(String type) {
        return type.equals(AccountDataTypes.PUSH_RULES) || type.equals(AccountDataTypes.IGNORED_USERS);
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        json.writeObjectPropertyStart("account_data");
        json.writeArrayPropertyStart("events");
        writeGlobal(poll, answer.get(GLOBAL), json);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeGlobal(Poll poll, @Nullable GlobalData data, JsonGenerator json) {
        for (var item : data == null ? List.<Item>of() : data.changed) {
            if (!isInjected(item.type())) {
                write(item.type(), item.content(), json);
            }
        }
        if (poll.prefix == Prefix.OWN) {
            writeInjected(poll.inbox.data().pushRules(), poll.settings().ignoreList(), json);
        } else if (data != null) {
            writeInjected(data.rules, data.ignoreList, json);
        }
    }

    private static void writeInjected(@Nullable RulesText rules, @Nullable String ignoreList, JsonGenerator json) {
        if (rules != null) { // an empty rule set would silence the client; without a member the client keeps its rules
            write(AccountDataTypes.PUSH_RULES, rules.json(), json);
        }
        if (ignoreList != null) {
            write(AccountDataTypes.IGNORED_USERS, ignoreList, json);
        }
    }

    @Override
    public String extension() {
        return "account_data";
    }

    @Override
    public void writeExtension(Poll poll, Answer answer, JsonGenerator json) {
        json.writeArrayPropertyStart("global");
        writeGlobal(poll, answer.get(GLOBAL), json);
        json.writeEndArray();
        json.writeObjectPropertyStart("rooms");
        for (var room : answer.rooms()) {
            var items = room.get(OF_ROOM);
            if (items != null) {
                EventsSection.writeArray(
                        room.id().value(), items, item -> write(item.type(), item.content(), json), json);
            }
        }
        json.writeEndObject();
    }

    @Override
    public void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        if (room.isIn(Section.JOIN) || room.isIn(Section.LEAVE)) {
            EventsSection.write(
                    "account_data", room.get(OF_ROOM), item -> write(item.type(), item.content(), json), json);
        }
    }

    private static void write(String type, String content, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("type", type);
        json.writeName("content");
        json.writeRawValue(content);
        json.writeEndObject();
    }
}
