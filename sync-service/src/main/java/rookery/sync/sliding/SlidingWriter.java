// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import org.springframework.stereotype.Component;
import rookery.model.token.Mark;
import rookery.model.token.TokenCodec;
import rookery.sync.answer.Answer;
import rookery.sync.answer.AnswerWriter;
import rookery.sync.answer.ReservedBytes;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Writes the answers of sliding sync, in the form of their request. */
@Component
class SlidingWriter {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int BYTES_EXPECTED = 2048;

    private final TokenCodec tokens;
    private final AnswerWriter streams;
    private final RoomResults rooms;

    SlidingWriter(TokenCodec tokens, AnswerWriter streams, RoomResults rooms) {
        this.tokens = tokens;
        this.streams = streams;
        this.rooms = rooms;
    }

    /** @param number of the connection's state after the answer */
    byte[] write(SlidingPoll poll, Answer answer, long number) {
        var out = new ReservedBytes(BYTES_EXPECTED, poll.reservation, false);
        try (var json = JSON.createGenerator(out)) {
            var next = answer.next();
            var token = next.with(next.marks().with(Mark.CONNECTION, number));
            json.writeStartObject();
            json.writeStringProperty("pos", tokens.write(token, poll.reader));
            json.writeObjectPropertyStart("lists");
            poll.counts().forEach((list, count) -> {
                json.writeObjectPropertyStart(list);
                json.writeNumberProperty("count", count);
                json.writeEndObject();
            });
            json.writeEndObject();
            json.writeObjectPropertyStart("rooms");
            var plan = poll.planOrNull();
            if (plan != null) {
                for (var room : answer.rooms()) {
                    var planned = plan.of(room.id());
                    if (planned != null) {
                        rooms.write(poll, next, planned, room, json);
                    }
                }
            }
            json.writeEndObject();
            json.writeObjectPropertyStart("extensions");
            for (var name : poll.request.extensions().keySet()) {
                writeExtension(name, poll, answer, json);
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private void writeExtension(String name, SlidingPoll poll, Answer answer, JsonGenerator json) {
        json.writeObjectPropertyStart(name);
        streams.writeExtension(name, poll, answer, json);
        json.writeEndObject();
    }
}
