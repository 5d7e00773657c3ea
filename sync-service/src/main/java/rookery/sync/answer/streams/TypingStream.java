// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.token.Mark;
import rookery.model.token.Marks;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.typing.TypingSets;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** {@code m.typing} of the reader's rooms after changes, within the filter's limit (contract.md 10.5). */
@Component
@Order(30)
class TypingStream implements SyncStream {
    private static final String TYPE = "m.typing";

    private static final ContentKey<String> TYPING = new ContentKey<>("the typing event of a room");

    private final TypingSets sets;

    TypingStream(TypingSets sets) {
        this.sets = sets;
    }

    @Override
    public String extension() {
        return "typing";
    }

    @Override
    public void writeExtension(Poll poll, Answer answer, JsonGenerator json) {
        json.writeObjectPropertyStart("rooms");
        for (var room : answer.rooms()) {
            var event = room.get(TYPING);
            if (event != null) {
                json.writeName(room.id().value());
                json.writeRawValue(event);
            }
        }
        json.writeEndObject();
    }

    @Override
    public Marks mark(Marks marks) {
        return marks.with(Mark.TYPING, sets.mark());
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        var joined = look.isComplete()
                ? answer.joinedRooms()
                : look.inbox().memberships().joinedRooms(look.next().rooms());
        for (var room : sets.lately(look.tenant(), joined, since(look))) {
            add(look, room, answer);
        }
        return DONE;
    }

    private void add(Look look, RoomId id, Answer answer) {
        if (!look.takesEphemeral(id, TYPE) || !look.poll().takes(this, id)) {
            return;
        }
        var users = sets.usersFor(
                new TenantRoom(look.tenant(), id),
                since(look),
                look.next().marks().of(Mark.TYPING),
                look.ignored(),
                look.isNew(id));
        var room = users == null ? null : answer.joined(look, id, Urgency.LATER);
        if (users != null && room != null && isWithinLimit(look, room)) {
            room.put(TYPING, event(users));
            EphemeralSection.add(room, List.of(event(users)));
        }
    }

    private static long since(Look look) {
        return look.toldHere(Mark.TYPING, TypingSets.UNKNOWN);
    }

    private static boolean isWithinLimit(Look look, Answer.Room room) {
        var limit = look.poll().filter.room().ephemeral().limit();
        int size = EphemeralSection.size(room);
        return limit == null || size == 0 || size < limit;
    }

    private static String event(List<UserId> users) {
        var event = JsonMapper.shared().createObjectNode().put("type", TYPE);
        var ids = event.putObject("content").putArray("user_ids");
        users.forEach(user -> ids.add(user.value()));
        return event.toString();
    }
}
