// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.Marks;
import rookery.model.token.SyncToken;
import rookery.sync.answer.Answer.Room;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Calls all streams in order. */
@Component
class SyncStreams {
    private final List<SyncStream> streams;

    /** @param streams in {@code @Order} */
    SyncStreams(List<SyncStream> streams) {
        this.streams = List.copyOf(streams);
    }

    Marks mark(Marks marks) {
        var marked = marks;
        for (var stream : streams) {
            marked = stream.mark(marked);
        }
        return marked;
    }

    /** Adds all content to an answer, or to the first part of a complete answer. */
    Mono<Void> add(Look look, RoomChanges changes, Answer answer) {
        var adding = each(look, 0, stream -> stream.add(look, answer));
        return isDone(adding)
                ? addRooms(look, changes, answer)
                : adding.then(Mono.defer(() -> addRooms(look, changes, answer)));
    }

    /** Adds the content of rooms to a later part. */
    Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        return each(look, 0, stream -> stream.addRooms(look, changes, answer));
    }

    /** Calls the streams in order. Finished streams add no operator; an unfinished stream delays the streams after it. */
    private Mono<Void> each(Look look, int first, Function<SyncStream, Mono<Void>> step) {
        for (int i = first; i < streams.size(); i++) {
            var adding = look.poll().takes(streams.get(i)) ? step.apply(streams.get(i)) : SyncStream.DONE;
            int rest = i + 1;
            if (!isDone(adding)) {
                return rest == streams.size() ? adding : adding.then(Mono.defer(() -> each(look, rest, step)));
            }
        }
        return SyncStream.DONE;
    }

    @SuppressWarnings("ReferenceEquality") // a constant
    private static boolean isDone(Mono<Void> adding) {
        return adding == SyncStream.DONE;
    }

    /** The urgency of the most urgent content. */
    Urgency urgency(Answer answer) {
        var urgency = Urgency.NOTHING;
        for (var room : answer.rooms()) {
            urgency = urgency.max(room.urgency());
        }
        for (var stream : streams) {
            urgency = urgency.max(stream.urgency(answer));
        }
        return urgency;
    }

    /** The token from which a request waits on after an answer that was not sent. */
    SyncToken untold(SyncToken since, Answer answer) {
        var marks = answer.next().marks();
        for (var stream : streams) {
            marks = stream.untold(since.marks(), marks, answer);
        }
        return answer.next().with(marks);
    }

    void write(Poll poll, Answer answer, JsonGenerator json) {
        streams.forEach(stream -> stream.write(poll, answer, json));
    }

    /** Writes the members of an extension of sliding sync, of all streams that belong to it. */
    void writeExtension(String name, Poll poll, Answer answer, JsonGenerator json) {
        streams.stream()
                .filter(stream -> name.equals(stream.extension()))
                .forEach(stream -> stream.writeExtension(poll, answer, json));
    }

    void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        streams.forEach(stream -> stream.writeRoom(poll, next, room, json));
    }
}
