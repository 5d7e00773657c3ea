package rookery.sync.answer;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.token.SyncToken;

/** Finds what a reader has not been told: looks, reads the room log, and has the streams add what they know. */
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

    /** Whether the reader begins anew: without a token, or with one from before a restore. */
    public boolean beginsAnew(@Nullable SyncToken since) {
        return looks.beginsAnew(since);
    }

    /** Whether all rooms are told: to who begins anew, asks for it, or has missed more than an answer holds. */
    public boolean tellsAll(Poll poll) {
        return poll.tellsAll() || looks.beginsAnew(poll.since());
    }

    /** All rooms, a few at a time, those that the reader is in first. The first part also has what else there is to tell. */
    public Flux<Answer> all(Poll poll) {
        return rooms(poll).index().concatMap(part -> part(part.getT1() == 0, part.getT2()), 1);
    }

    /** A look, and what it found of some of the rooms. */
    private record Part(Look look, RoomChanges changes) {}

    private Flux<Part> rooms(Poll poll) {
        if (looks.beginsAnew(poll.since())) {
            var beginning = looks.anew(poll);
            return reader.all(poll).map(told -> part(beginning.of(told.epoch(), told.positions()), told));
        }
        var look = looks.sinceToken(poll, true);
        return reader.all(look).map(told -> part(look, told));
    }

    private static Part part(Look look, RoomsClient.RoomsAnswer told) {
        return new Part(look, RoomReader.learned(look, told));
    }

    private Mono<Answer> part(boolean isFirst, Part part) {
        var answer = new Answer(part.look.next());
        var added = isFirst
                ? streams.add(part.look, part.changes, answer)
                : streams.addRooms(part.look, part.changes, answer);
        return added.then(Mono.just(answer));
    }

    /**
     * Everything after the reader's token, up to where this node stands; not for who is told all. Empty if the ignore list changed
     * meanwhile: whoever asks looks again.
     */
    public Mono<Answer> changes(Poll poll) {
        var look = looks.sinceToken(poll, false);
        return reader.changes(look).flatMap(changes -> changes(look, changes));
    }

    private Mono<Answer> changes(Look look, RoomChanges changes) {
        var answer = new Answer(look.next());
        return streams.add(look, changes, answer).then(Mono.just(answer)).filter(found -> !found.isOvertaken());
    }

    /** Whether there is something that is worth an answer. */
    public boolean isWorthTelling(Answer answer) {
        return streams.isWorthTelling(answer);
    }

    /** Where a reader goes on who is told nothing of the answer. */
    public SyncToken untold(SyncToken since, Answer answer) {
        return streams.untold(since, answer);
    }
}
