// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.PageToken;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.sync.answer.Answer;
import rookery.sync.answer.Answer.Room;
import rookery.sync.answer.EventLines;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.ring.RoomPart.Summary;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Timelines of rooms, with the state before or after them (contract.md 10.4). */
@Component
@Order(10)
class TimelineStream implements SyncStream {
    private final TokenCodec tokens;
    private final EventLines lines;

    TimelineStream(TokenCodec tokens, EventLines lines) {
        this.tokens = tokens;
        this.lines = lines;
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        changes.rooms().forEach(part -> answer.add(part, urgency(look, part)));
        return DONE;
    }

    /** Events of rooms that the reader has joined before may gather; the reader's own memberships may not. */
    private static Urgency urgency(Look look, RoomPart part) {
        var user = look.poll().reader.user().value();
        boolean isOwn = part.section() != Section.JOIN
                || look.isNew(part.room())
                || part.timeline().stream().anyMatch(line -> line.ringEvent().isMemberEventOf(user));
        return isOwn ? Urgency.NOW : Urgency.SOON;
    }

    @Override
    public void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        var part = room.part;
        switch (part.section()) {
            case JOIN -> {
                writeSummary(part.summary(), json);
                writeEvents(poll, next, part, json);
            }
            case LEAVE -> writeEvents(poll, next, part, json);
            case INVITE -> writeStripped("invite_state", part.stripped(), json);
            case KNOCK -> writeStripped("knock_state", part.stripped(), json);
        }
    }

    private static void writeSummary(@Nullable Summary summary, JsonGenerator json) {
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

    private void writeEvents(Poll poll, SyncToken next, RoomPart room, JsonGenerator json) {
        json.writeObjectPropertyStart(poll.query.state().word);
        lines.write("events", poll, room.state(), json);
        json.writeEndObject();
        json.writeObjectPropertyStart("timeline");
        lines.write("events", poll, room.timeline(), json);
        json.writeBooleanProperty("limited", room.limited());
        var prevBatch = new PageToken(next.roomEpoch(), room.shard(), room.prevPos());
        json.writeStringProperty("prev_batch", tokens.write(prevBatch, poll.reader));
        json.writeEndObject();
    }

    private static void writeStripped(String name, @Nullable String events, JsonGenerator json) {
        json.writeObjectPropertyStart(name);
        json.writeName("events");
        json.writeRawValue(events == null ? "[]" : events);
        json.writeEndObject();
    }
}
