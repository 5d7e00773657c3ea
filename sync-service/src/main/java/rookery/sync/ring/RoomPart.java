package rookery.sync.ring;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;

/**
 * What one room has to say in an answer.
 *
 * @param prevPos the timeline begins right after this position of the room's shard
 * @param state state before the timeline, or at its end if that was asked for
 * @param summary the counts, when they changed
 * @param stripped only of invites and knocks: the array of stripped events, as text
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
    /** Where in the answer a room stands. */
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

    /**
     * An event and what depends on the reader: the own membership at it, and whether what it replaced may be seen.
     *
     * @param relations what is bundled with it, as its owner said; null for nothing, as where the timeline has it anyway
     */
    public record Line(
            RingEvent held,
            Membership membership,
            boolean sawPrevious,
            @Nullable String relations) {
        /** One with nothing bundled. */
        public Line(RingEvent held, Membership membership, boolean sawPrevious) {
            this(held, membership, sawPrevious, null);
        }
    }

    /** How many are in the room, and after whom it may be called; heroes are absent where they cannot have changed. */
    public record Summary(int joined, int invited, @Nullable List<String> heroes) {}
}
