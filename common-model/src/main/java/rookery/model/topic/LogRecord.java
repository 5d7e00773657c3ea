// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * One entry of a log. Storage, topic and {@code /internal/log} have the same bytes.
 *
 * @param kind the shape of the body; a follower skips an unknown kind
 * @param unitEnd whether the entry ends its unit; clients never see positions inside a unit
 * @param room the entry's room, or null
 * @param subject the entry's user, or null: the member of a membership event, the owner of a user-log entry
 * @param body lines of JSON: first the facts for followers, then the text for clients
 * @param batch the number of the entry's batch; 0 if unknown
 * @param previous the number of the batch before, which lets a follower verify that it has every batch; 0 if unknown
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

    public LogRecord withBody(String read) {
        return new LogRecord(shard, epoch, pos, kind, unitEnd, tenant, room, subject, read, batch, previous);
    }

    /** Whether the entry may follow an entry of that batch: same batch, next batch, or one of the two unknown. */
    public boolean follows(long number) {
        return number == 0 || batch == 0 || batch == number || previous == number;
    }
}
