// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.sync.inbox.RoomMemberships.RoomNews;
import rookery.sync.waiting.Urgency;

/** Builds answers: makes a look, reads the room log, and calls the streams. */
@Component
public class AnswerFinder {
    private final Looks looks;
    private final RoomReader reader;
    private final SyncStreams streams;

    AnswerFinder(Looks looks, RoomReader reader, SyncStreams streams) {
        this.looks = looks;
        this.reader = reader;
        this.streams = streams;
    }

    /** Whether the client needs a complete answer: no token, or a token from before a restore. */
    public boolean beginsAnew(@Nullable SyncToken since) {
        return looks.beginsAnew(since);
    }

    /** Whether the answer contains all rooms: an initial sync, {@code full_state}, or changes too large for one answer. */
    public boolean isComplete(Poll poll) {
        return poll.isComplete() || looks.beginsAnew(poll.since());
    }

    /** All rooms in parts of a few rooms, joined rooms first. The first part also contains everything beside the rooms. */
    public Flux<Answer> all(Poll poll) {
        return rooms(poll).index().concatMap(part -> part(part.getT1() == 0, part.getT2()), 1);
    }

    private record Part(Look look, RoomChanges changes) {}

    private Flux<Part> rooms(Poll poll) {
        if (looks.beginsAnew(poll.since())) {
            var beginning = looks.anew(poll);
            return reader.all(poll)
                    .map(portion -> part(beginning.of(portion.epoch(), portion.positions(), true), portion));
        }
        var look = looks.after(poll, true);
        return reader.all(look).map(portion -> part(look, portion));
    }

    private static Part part(Look look, RoomsClient.RoomsAnswer portion) {
        return new Part(look, RoomReader.learned(look, portion));
    }

    private Mono<Answer> part(boolean isFirst, Part part) {
        var answer = new Answer(part.look.next());
        var added = isFirst
                ? streams.add(part.look, part.changes, answer)
                : streams.addRooms(part.look, part.changes, answer);
        return added.then(Mono.just(answer));
    }

    /** The changes since the client's token. Empty if the ignore list changed meanwhile: the caller looks again. */
    public Mono<Answer> changes(Poll poll) {
        var look = looks.after(poll, false);
        return reader.changes(look).flatMap(changes -> changes(look, changes));
    }

    private Mono<Answer> changes(Look look, RoomChanges changes) {
        var answer = new Answer(look.next());
        return streams.add(look, changes, answer).then(Mono.just(answer)).filter(filled -> !filled.isOvertaken());
    }

    /** The range of an answer with chosen rooms: from the client's token, or from the beginning. */
    public Look look(Poll poll) {
        return poll.since() == null ? looks.begin(poll) : looks.after(poll, false);
    }

    /** The content of chosen rooms (see {@link RoomReader#read}) and of the streams. Empty if the caller must look again. */
    public Mono<Answer> chosen(Look look, List<RoomNews> warm, List<RoomId> cold, Map<RoomId, RoomStart> starts) {
        return reader.read(look, warm, cold, starts).flatMap(changes -> changes(look, changes));
    }

    /** How soon the answer ends the wait of a request. */
    public Urgency urgency(Answer answer) {
        return streams.urgency(answer);
    }

    /** The token from which a request waits on after an answer that was not sent. */
    public SyncToken untold(SyncToken since, Answer answer) {
        return streams.untold(since, answer);
    }
}
