package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * One entry of a log, as it is stored, published and answered by {@code /internal/log}: always the same bytes.
 *
 * @param kind which shape the body has; a follower skips a kind that it does not know
 * @param unitEnd whether the entry ends its unit; positions inside a unit are never handed to clients
 * @param room the room it is about, or null
 * @param subject the user it is about, or null: the member of a membership event, the owner of a user-log entry
 * @param body lines of JSON, first what followers need to know and then what clients get as it is
 * @param batch the number of the batch that it was committed with; 0 if it is not known
 * @param previous the number of the batch before that one, by which a follower sees that it has all; 0 if it is not known
 */
public record LogRecord(
        int shard,
        long epoch,
        long pos,
        String kind,
        @JsonProperty("unit_end") boolean unitEnd,
        TenantId tenant,
        @Nullable RoomId room,
        @Nullable UserId subject,
        String body,
        long batch,
        long previous) {
    /** An entry of which nobody asks for the batch. */
    public LogRecord(
            int shard,
            long epoch,
            long pos,
            String kind,
            boolean unitEnd,
            TenantId tenant,
            @Nullable RoomId room,
            @Nullable UserId subject,
            String body) {
        this(shard, epoch, pos, kind, unitEnd, tenant, room, subject, body, 0, 0);
    }

    /** The same with a body, for one who has read it. */
    public LogRecord withBody(String read) {
        return new LogRecord(shard, epoch, pos, kind, unitEnd, tenant, room, subject, read, batch, previous);
    }

    /** Whether it follows on an entry of that batch; also where one of the two is not known. */
    public boolean follows(long number) {
        return number == 0 || batch == 0 || batch == number || previous == number;
    }
}
