// SPDX-License-Identifier: Apache-2.0
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
 * One room of a sync response.
 *
 * @param prevPos the position before the first event of the timeline
 * @param state the state at the start of the timeline, or at its end if the request asks for the end
 * @param stripped for invitations and knocks: a JSON array of stripped events
 * @param receipts new receipts of a joined room; null for no receipts
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

        boolean isPreview() {
            return this == INVITE || this == KNOCK;
        }
    }

    long length() {
        return Stream.concat(timeline.stream(), state.stream())
                .mapToLong(event -> event.body.length() + (event.relations == null ? 0 : event.relations.length()))
                .sum();
    }

    /**
     * An event with facts about the reader.
     *
     * @param body the body of the log entry
     * @param membership the reader's membership at the event
     * @param sawPrevious whether the reader may see the replaced state event
     * @param relations the event's bundled relations (contract.md 9.7), as JSON text; null for no relations
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShownEvent(
            long pos,
            String body,
            Membership membership,
            @JsonProperty("saw_previous") boolean sawPrevious,
            @Nullable String relations) {}

    /** Counts of members, and the heroes of a room without a name in the order of their joins. */
    record Summary(int joined, int invited, List<String> heroes) {}
}
