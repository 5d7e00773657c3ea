package rookery.sync.answer;

import reactor.core.publisher.Mono;
import rookery.model.token.Marks;
import rookery.model.token.SyncToken;
import rookery.sync.testing.Answer.Room;
import tools.jackson.core.JsonGenerator;

/**
 * One of the things that a sync tells: it adds its own to an answer, says whether that is worth one, keeps its own mark in the token,
 * and writes its own JSON. Streams do not know each other. One is registered by being a component; they are called in the order of
 * {@code @Order}, and what is about rooms that others add comes after them.
 *
 * <p>A node looks each time that it wakes a request, mostly to find nothing: a stream that has nothing to add allocates nothing, and
 * answers {@link #DONE}. Nothing that it was asked for is held while the request waits on, but what it put into the answer.
 */
public interface SyncStream {
    /** The stream has added what it has, or has nothing. */
    Mono<Void> DONE = Mono.empty();

    /**
     * Marks where the stream stands, before anything is looked at; only for what this node counts by itself. A stream that knows only
     * after it has looked marks the answer ({@link Answer#mark}).
     */
    default Marks mark(Marks marks) {
        return marks;
    }

    /**
     * Adds what there is to tell beside the rooms; once for each look. A stream of which an answer takes only so much marks up to where
     * that was, and finds the rest after its mark when the reader comes again.
     */
    default Mono<Void> add(Look look, Answer answer) {
        return DONE;
    }

    /** Adds what there is to tell of rooms: of those in the answer, and for changes of others too ({@link Answer#joined}). */
    default Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        return DONE;
    }

    /** Whether what the stream has added beside the rooms is worth an answer of its own; a room in the answer always is. */
    default boolean isWorthTelling(Answer answer) {
        return false;
    }

    /**
     * The marks with which a reader goes on waiting who is told nothing of the answer, because it is not worth one.
     *
     * @param before with which the reader came to the look
     * @param next what the answer's token says
     */
    default Marks untold(Marks before, Marks next, Answer answer) {
        return next;
    }

    /** Writes the members that the stream has beside the rooms, also if it has nothing to tell. */
    default void write(Poll poll, Answer answer, JsonGenerator json) {}

    /**
     * Writes the members that the stream has in a room.
     *
     * @param next the answer's token
     */
    default void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {}
}
