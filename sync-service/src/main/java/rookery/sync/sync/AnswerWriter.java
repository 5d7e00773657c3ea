package rookery.sync.sync;

import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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
import rookery.sync.unread.Counts;
import rookery.sync.unread.Counts.Tally;
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
        var writing = new Writing(poll, changes);
        writing.rooms(changes);
        writing.end();
        return writing.drained();
    }

    /** An answer that is told in parts; each is written and forgotten as it comes. The rooms come in the order of the sections. */
    Flux<byte[]> write(Poll poll, Flux<Changes> parts) {
        return Flux.defer(() -> {
            var writing = new AtomicReference<Writing>();
            return parts.map(part -> part(writing, poll, part)).concatWith(Mono.fromSupplier(() -> end(writing)));
        });
    }

    private byte[] part(AtomicReference<Writing> writing, Poll poll, Changes part) {
        if (writing.get() == null) {
            writing.set(new Writing(poll, part));
        }
        writing.get().rooms(part);
        return writing.get().drained();
    }

    private static byte[] end(AtomicReference<Writing> writing) {
        writing.get().end();
        return writing.get().drained();
    }

    private final class Writing {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES_EXPECTED);
        private final JsonGenerator json = JSON.createGenerator(out);
        private final Poll poll;
        private final long nowMillis = clock.millis();
        private Changes changes;
        private final Iterator<Section> sections = List.of(Section.values()).iterator();
        private Section section = sections.next();

        /** Begins, with all that is told but the rooms. */
        Writing(Poll poll, Changes first) {
            this.poll = poll;
            this.changes = first;
            json.writeStartObject();
            json.writeStringProperty("next_batch", tokens.write(first.next(), poll.owner));
            accountData();
            presence();
            noEvents("to_device");
            raw("device_lists", "{\"changed\":[],\"left\":[]}");
            raw("device_one_time_keys_count", "{\"signed_curve25519\":0}");
            raw("device_unused_fallback_key_types", "[]");
            json.writeObjectPropertyStart("rooms");
            json.writeObjectPropertyStart(section.word);
        }

        void rooms(Changes part) {
            changes = part;
            part.rooms().stream()
                    .sorted(Comparator.comparing(RoomPart::section))
                    .forEach(this::inSection);
        }

        private void inSection(RoomPart room) {
            begin(room.section());
            json.writeObjectPropertyStart(room.room().value());
            room(room);
            json.writeEndObject();
        }

        /** Ends the sections before that one. */
        private void begin(Section next) {
            if (next.compareTo(section) < 0) {
                throw new IllegalStateException("a section came after its end: " + next);
            }
            while (section != next) {
                beginNext();
            }
        }

        private void beginNext() {
            json.writeEndObject();
            section = sections.next();
            json.writeObjectPropertyStart(section.word);
        }

        void end() {
            while (sections.hasNext()) {
                beginNext();
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
            json.close();
        }

        /** What was written since. */
        byte[] drained() {
            if (!json.isClosed()) {
                json.flush();
            }
            byte[] bytes = out.toByteArray();
            out.reset();
            return bytes;
        }

        private void room(RoomPart room) {
            switch (room.section()) {
                case JOIN -> {
                    summary(room.summary());
                    events(room);
                    ephemeral(room);
                    roomData(room);
                    unread(room);
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

        /** CONTRACT.md 11.4. */
        private void unread(RoomPart room) {
            var counts = changes.unread().getOrDefault(room.room(), Counts.NONE);
            boolean byThread = poll.filter.room().timeline().unreadThreadNotifications();
            json.writeName("unread_notifications");
            tally(byThread ? counts.of(Counts.MAIN) : counts.whole());
            if (byThread) {
                json.writeObjectPropertyStart("unread_thread_notifications");
                counts.threads().forEach((thread, tally) -> {
                    if (!thread.equals(Counts.MAIN)) {
                        json.writeName(thread);
                        tally(tally);
                    }
                });
                json.writeEndObject();
            }
        }

        private void tally(Tally tally) {
            json.writeStartObject();
            int missed = Sabotage.MISCOUNT.isOn() ? Math.min(1, tally.notifications()) : 0;
            json.writeNumberProperty("notification_count", tally.notifications() - missed);
            json.writeNumberProperty("highlight_count", tally.highlights());
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
            json.writeObjectPropertyStart("account_data");
            json.writeArrayPropertyStart("events");
            for (var item : changes.data()) {
                if (!DataPart.isInjected(item.type())) {
                    data(item);
                }
            }
            var rules = poll.inbox.data().pushRules();
            if (rules != null) { // no rules at all would silence the client: it keeps those that it has
                data(AccountDataTypes.PUSH_RULES, rules.json());
            }
            data(AccountDataTypes.IGNORED_USERS, poll.settings().ignoreList());
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

        private void presence() {
            json.writeObjectPropertyStart("presence");
            json.writeArrayPropertyStart("events");
            changes.presence().events().forEach(json::writeRawValue);
            json.writeEndArray();
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
