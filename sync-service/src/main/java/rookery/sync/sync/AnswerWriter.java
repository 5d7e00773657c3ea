package rookery.sync.sync;

import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.event.AccountDataTypes;
import rookery.model.token.PageToken;
import rookery.model.token.TokenCodec;
import rookery.platform.event.EventText;
import rookery.platform.event.EventText.Reader;
import rookery.sync.inbox.Sabotage;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Line;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.stream.RoomPart.Summary;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Writes the answer to a sync (CONTRACT.md 10.3) straight to bytes: what is JSON already is copied and not read. */
@Component
class AnswerWriter {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int BYTES_EXPECTED = 2048;

    private final TokenCodec tokens;
    private final Clock clock;

    AnswerWriter(TokenCodec tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    byte[] write(Poll poll, Changes changes) {
        var out = new ByteArrayOutputStream(BYTES_EXPECTED);
        try (var json = JSON.createGenerator(out)) {
            new Writing(json, poll, changes, clock.millis()).answer();
        }
        return out.toByteArray();
    }

    private final class Writing {
        private final JsonGenerator json;
        private final Poll poll;
        private final Changes changes;
        private final long nowMillis;

        Writing(JsonGenerator json, Poll poll, Changes changes, long nowMillis) {
            this.json = json;
            this.poll = poll;
            this.changes = changes;
            this.nowMillis = nowMillis;
        }

        void answer() {
            json.writeStartObject();
            json.writeStringProperty("next_batch", tokens.write(changes.next(), poll.owner));
            json.writeObjectPropertyStart("rooms");
            for (var section : Section.values()) {
                section(section);
            }
            json.writeEndObject();
            accountData();
            noEvents("presence");
            noEvents("to_device");
            raw("device_lists", "{\"changed\":[],\"left\":[]}");
            raw("device_one_time_keys_count", "{\"signed_curve25519\":0}");
            raw("device_unused_fallback_key_types", "[]");
            json.writeEndObject();
        }

        private void section(Section section) {
            json.writeObjectPropertyStart(section.word);
            for (var room : changes.rooms()) {
                if (room.section() == section) {
                    json.writeObjectPropertyStart(room.room().value());
                    room(room);
                    json.writeEndObject();
                }
            }
            json.writeEndObject();
        }

        private void room(RoomPart room) {
            switch (room.section()) {
                case JOIN -> {
                    summary(room.summary());
                    events(room);
                    ephemeral(room);
                    roomData(room);
                    raw("unread_notifications", "{\"notification_count\":0,\"highlight_count\":0}");
                }
                case LEAVE -> {
                    events(room);
                    roomData(room);
                }
                case INVITE -> stripped("invite_state", room.stripped());
                case KNOCK -> stripped("knock_state", room.stripped());
            }
        }

        private void events(RoomPart room) {
            boolean after = poll.query.stateAfter();
            json.writeObjectPropertyStart(after ? "state_after" : "state");
            lines(room.state());
            json.writeEndObject();
            json.writeObjectPropertyStart("timeline");
            lines(room.timeline());
            json.writeBooleanProperty("limited", room.limited() && !Sabotage.NEVER_LIMITED.isOn());
            var place = new PageToken(changes.next().roomEpoch(), room.shard(), room.prevPos());
            json.writeStringProperty("prev_batch", tokens.write(place, poll.owner));
            json.writeEndObject();
        }

        private void lines(List<Line> lines) {
            json.writeArrayPropertyStart("events");
            for (var line : lines) {
                var reader = new Reader(poll.owner.user(), poll.device, line.membership(), line.sawPrevious());
                json.writeRawValue(EventText.render(line.held().event(), null, reader, line.relations(), nowMillis));
            }
            json.writeEndArray();
        }

        private void summary(@Nullable Summary summary) {
            json.writeObjectPropertyStart("summary");
            if (summary != null) {
                if (summary.heroes() != null) {
                    json.writeArrayPropertyStart("m.heroes");
                    summary.heroes().forEach(json::writeString);
                    json.writeEndArray();
                }
                json.writeNumberProperty("m.joined_member_count", summary.joined());
                json.writeNumberProperty("m.invited_member_count", summary.invited());
            }
            json.writeEndObject();
        }

        private void stripped(String name, @Nullable String events) {
            json.writeObjectPropertyStart(name);
            raw("events", events == null ? "[]" : events);
            json.writeEndObject();
        }

        private void ephemeral(RoomPart room) {
            json.writeObjectPropertyStart("ephemeral");
            json.writeArrayPropertyStart("events");
            changes.ephemeral().getOrDefault(room.room(), List.of()).forEach(json::writeRawValue);
            json.writeEndArray();
            json.writeEndObject();
        }

        private void roomData(RoomPart room) {
            json.writeObjectPropertyStart("account_data");
            json.writeArrayPropertyStart("events");
            changes.roomData().getOrDefault(room.room(), List.of()).forEach(this::data);
            json.writeEndArray();
            json.writeEndObject();
        }

        private void accountData() {
            var data = poll.inbox.data();
            json.writeObjectPropertyStart("account_data");
            json.writeArrayPropertyStart("events");
            for (var item : changes.data()) {
                if (!DataPart.isInjected(item.type())) {
                    data(item);
                }
            }
            var rules = data.pushRules();
            if (rules != null) { // no rules at all would silence the client: it keeps those that it has
                data(AccountDataTypes.PUSH_RULES, rules);
            }
            data(AccountDataTypes.IGNORED_USERS, data.ignoredContent());
            json.writeEndArray();
            json.writeEndObject();
        }

        private void data(Item item) {
            data(item.type(), item.content());
        }

        private void data(String type, String content) {
            json.writeStartObject();
            json.writeStringProperty("type", type);
            raw("content", content);
            json.writeEndObject();
        }

        private void noEvents(String name) {
            raw(name, "{\"events\":[]}");
        }

        private void raw(String name, String text) {
            json.writeName(name);
            json.writeRawValue(text);
        }
    }
}
