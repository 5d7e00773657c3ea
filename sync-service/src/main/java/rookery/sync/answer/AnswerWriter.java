// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.sync.answer.Answer.Room;
import rookery.sync.ring.RoomPart.Section;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Writes the answer to a sync (contract.md 10.3) straight to bytes. Event JSON is copied without parsing. */
@Component
public class AnswerWriter {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int BYTES_EXPECTED = 2048;

    private final TokenCodec tokens;
    private final SyncStreams streams;

    AnswerWriter(TokenCodec tokens, SyncStreams streams) {
        this.tokens = tokens;
        this.streams = streams;
    }

    public byte[] write(Poll poll, Answer answer) {
        var writing = new AnswerInProgress(poll, answer, false);
        writing.rooms(answer);
        writing.end();
        return writing.drained();
    }

    /** Writes the members of an extension of sliding sync. */
    public void writeExtension(String name, Poll poll, Answer answer, JsonGenerator json) {
        streams.writeExtension(name, poll, answer, json);
    }

    /** Writes an answer of many parts, each released after writing. Parts must list rooms in the order of the sections. */
    public Flux<byte[]> write(Poll poll, Flux<Answer> parts) {
        return Flux.defer(() -> {
            var writing = new AtomicReference<AnswerInProgress>();
            return parts.map(part -> part(writing, poll, part)).concatWith(Mono.fromSupplier(() -> end(writing)));
        });
    }

    private byte[] part(AtomicReference<AnswerInProgress> writing, Poll poll, Answer part) {
        if (writing.get() == null) {
            writing.set(new AnswerInProgress(poll, part, true));
        }
        writing.get().rooms(part);
        return writing.get().drained();
    }

    private static byte[] end(AtomicReference<AnswerInProgress> writing) {
        writing.get().end();
        return writing.get().drained();
    }

    private final class AnswerInProgress {
        private final ReservedBytes out;
        private final JsonGenerator json;
        private final Poll poll;
        private final Iterator<Section> sections = List.of(Section.values()).iterator();
        private Section section = sections.next();

        /** Begins the answer with all members but {@code rooms}. */
        AnswerInProgress(Poll poll, Answer first, boolean inParts) {
            this.poll = poll;
            this.out = new ReservedBytes(BYTES_EXPECTED, poll.reservation, inParts);
            this.json = JSON.createGenerator(out);
            json.writeStartObject();
            json.writeStringProperty("next_batch", tokens.write(first.next(), poll.reader));
            streams.write(poll, first, json);
            json.writeObjectPropertyStart("rooms");
            json.writeObjectPropertyStart(section.word);
        }

        void rooms(Answer part) {
            part.rooms().stream()
                    .sorted(Comparator.comparing((Room room) -> room.part.section()))
                    .forEach(room -> inSection(room, part.next()));
        }

        private void inSection(Room room, SyncToken next) {
            begin(room.part.section());
            json.writeObjectPropertyStart(room.id().value());
            streams.writeRoom(poll, next, room, json);
            json.writeEndObject();
        }

        /** Closes the sections before {@code next}. */
        private void begin(Section next) {
            if (next.compareTo(section) < 0) {
                throw new IllegalStateException("rooms are not in the order of the sections: " + next);
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

        /** The bytes written since the last call. */
        byte[] drained() {
            if (!json.isClosed()) {
                json.flush();
            }
            byte[] bytes = out.toByteArray();
            out.reset();
            return bytes;
        }
    }
}
