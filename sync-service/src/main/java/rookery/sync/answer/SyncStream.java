// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.token.Marks;
import rookery.model.token.SyncToken;
import rookery.sync.answer.Answer.Room;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/**
 * One kind of content in sync answers: adds content to an answer, decides how soon the content ends a wait, keeps a mark in the
 * token, and writes JSON. Streams do not know each other. Annotate a stream with {@code @Component} and {@code @Order}: streams
 * that add to rooms of other streams come later.
 *
 * <p>A node looks at each wake of a request and mostly finds nothing. So a stream without content allocates nothing and returns
 * {@link #DONE}. Waiting requests reference only the content in their answers.
 */
public interface SyncStream {
    /** The result of a stream that has finished or has no content. */
    Mono<Void> DONE = Mono.empty();

    /**
     * Sets the stream's mark before the look, for content that this node counts itself. A stream that knows its mark only after
     * the look calls {@link Answer#mark}.
     */
    default Marks mark(Marks marks) {
        return marks;
    }

    /**
     * Adds content beside the rooms, once for each look. A stream with a limit for each answer sets its mark to the last content
     * added, and continues after the mark in the next request.
     */
    default Mono<Void> add(Look look, Answer answer) {
        return DONE;
    }

    /** Adds content to rooms of the answer, or adds rooms for changed content ({@link Answer#joined}). */
    default Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        return DONE;
    }

    /** How urgent the stream's content beside the rooms is; rooms have an urgency of their own ({@link Room#raise}). */
    default Urgency urgency(Answer answer) {
        return Urgency.NOTHING;
    }

    /** The marks with which a request waits on after an answer that was not sent; {@code before} are from before the look. */
    default Marks untold(Marks before, Marks next, Answer answer) {
        return next;
    }

    /** Writes the stream's members beside the rooms, including empty members. */
    default void write(Poll poll, Answer answer, JsonGenerator json) {}

    /** The extension of sliding sync that has the stream's content; null for a part of rooms. */
    default @Nullable String extension() {
        return null;
    }

    /** Writes the stream's members of the extension; by default those of {@link #write}. */
    default void writeExtension(Poll poll, Answer answer, JsonGenerator json) {
        write(poll, answer, json);
    }

    /** Writes the stream's members of a room; {@code next} is the answer's token. */
    default void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {}
}
