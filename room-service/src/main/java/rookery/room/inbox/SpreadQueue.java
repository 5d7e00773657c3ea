// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.WorkQueue;

/** A queue of changes from the user log that the user's rooms do not know yet: one row for each user. */
public abstract class SpreadQueue extends WorkQueue<SpreadQueue.Spread> {
    // a further change does not postpone a waiting row, and shortens the lease of a claimed row: its worker may have
    // read the value before the further change
    private static final String ADD = """
            INSERT INTO TABLE AS t (tenant, user_id, epoch, pos, due_ms)
            VALUES (:tenant, :user_id, :epoch, :pos, :due)
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET epoch = excluded.epoch, pos = excluded.pos, due_ms = least(t.due_ms, excluded.due_ms)
            """;

    private final String add;
    private final Clock clock;

    SpreadQueue(DatabaseClient db, Clock clock, String table) {
        super(
                db,
                clock,
                QueueTable.of(table),
                Map.of(
                        "tenant",
                        spread -> spread.user.tenant().value(),
                        "user_id",
                        spread -> spread.user.user().value(),
                        "epoch",
                        Spread::epoch,
                        "pos",
                        Spread::pos),
                SpreadQueue::spread);
        this.clock = clock;
        this.add = ADD.replace("TABLE", table);
    }

    /** A change of a user, and its place in the user log. */
    public record Spread(TenantUser user, long epoch, long pos) {}

    /** In a transaction. */
    final Mono<Void> add(Spread spread, Duration delay) {
        return bound(add, spread)
                .bind("due", clock.instant().plus(delay).toEpochMilli())
                .then()
                .then(due.noteAtCommit(delay));
    }

    private static Spread spread(Readable row) {
        return new Spread(
                new TenantUser(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "user_id", UserId.class)),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
