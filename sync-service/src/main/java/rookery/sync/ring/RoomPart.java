// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;

/**
 * A room in an answer.
 *
 * @param prevPos the position just before the timeline
 * @param state the state as of the start of the timeline, or as of its end if requested
 * @param summary the counts of members, after changes
 * @param stripped the JSON array of stripped events; only for invites and knocks
 */
public record RoomPart(
        RoomId room,
        int shard,
        Section section,
        List<Line> timeline,
        boolean limited,
        long prevPos,
        List<Line> state,
        @Nullable Summary summary,
        @Nullable String stripped) {
    /** The section of the answer that contains the room. */
    public enum Section {
        JOIN("join"),
        INVITE("invite"),
        KNOCK("knock"),
        LEAVE("leave");

        @JsonValue
        public final String word;

        Section(String word) {
            this.word = word;
        }
    }

    /** An event for a reader: the reader's membership, the view of replaced content, and bundled relations if any. */
    public record Line(
            RingEvent ringEvent,
            Membership membership,
            boolean sawPrevious,
            @Nullable String relations) {
        /** An event without bundled relations. */
        public Line(RingEvent ringEvent, Membership membership, boolean sawPrevious) {
            this(ringEvent, membership, sawPrevious, null);
        }
    }

    /** The numbers of members, and the heroes, which are null if unchanged. */
    public record Summary(int joined, int invited, @Nullable List<String> heroes) {}
}
