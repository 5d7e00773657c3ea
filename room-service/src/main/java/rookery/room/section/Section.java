package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.topic.RoomLogRecord.Receipt;

/**
 * What a sync tells one user of one room.
 *
 * @param prevPos the place before the first event of the timeline
 * @param state the state at the start of the timeline, or at its end if that was asked for
 * @param stripped for invitations and knocks: array of stripped events, as text
 * @param receipts what others have read since, of a joined room; null for nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Section(
        @JsonProperty("room_id") RoomId roomId,
        int shard,
        Kind section,
        List<ShownEvent> timeline,
        boolean limited,
        @JsonProperty("prev_pos") long prevPos,
        List<ShownEvent> state,
        @Nullable Summary summary,
        @Nullable String stripped,
        @Nullable List<Receipt> receipts) {
    enum Kind {
        JOIN("join"),
        INVITE("invite"),
        KNOCK("knock"),
        LEAVE("leave");

        @JsonValue
        final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Whether only what its member event says of the room is told. */
        boolean isPreview() {
            return this == INVITE || this == KNOCK;
        }
    }

    /** About how many characters it has. */
    long length() {
        return Stream.concat(timeline.stream(), state.stream())
                .mapToLong(event -> event.body.length() + (event.relations == null ? 0 : event.relations.length()))
                .sum();
    }

    /**
     * An event and what depends on its reader.
     *
     * @param body the body of the log entry
     * @param membership the reader's, at the event
     * @param sawPrevious whether the reader may see the state event that this one replaced
     * @param relations what is bundled with the event (contract.md 9.7), as text; null for nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShownEvent(
            long pos,
            String body,
            Membership membership,
            @JsonProperty("saw_previous") boolean sawPrevious,
            @Nullable String relations) {}

    /** Counts, and the members that name a room without a name, in the order they joined. */
    record Summary(int joined, int invited, List<String> heroes) {}
}
