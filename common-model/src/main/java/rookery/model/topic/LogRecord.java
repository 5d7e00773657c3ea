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
        String body) {}
