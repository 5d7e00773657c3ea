package rookery.room.inbox;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** A queue table of changes from the user log that the user's rooms do not know yet: one row for each user. */
public abstract class SpreadQueue {
    // a further change does not postpone a waiting row, and shortens the lease of a claimed row: its worker may have
    // read the value before the further change
    private static final String ADD = """
            INSERT INTO TABLE AS t (tenant, user_id, epoch, pos, due_ms)
            VALUES (:tenant, :user, :epoch, :pos, :due)
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET epoch = excluded.epoch, pos = excluded.pos, due_ms = least(t.due_ms, excluded.due_ms)
            """;

    private static final String CLAIM = """
            UPDATE TABLE s SET due_ms = :until
              FROM (SELECT tenant, user_id FROM TABLE
                     WHERE due_ms <= :now ORDER BY due_ms LIMIT :limit FOR UPDATE SKIP LOCKED) k
             WHERE s.tenant = k.tenant AND s.user_id = k.user_id
            RETURNING s.tenant, s.user_id, s.epoch, s.pos
            """;

    private static final String RENEW = """
            UPDATE TABLE SET due_ms = :until
             WHERE tenant = :tenant AND user_id = :user AND epoch = :epoch AND pos = :pos
            """;

    private static final String DONE = """
            DELETE FROM TABLE
             WHERE tenant = :tenant AND user_id = :user AND epoch = :epoch AND pos = :pos
            """;

    private final DatabaseClient db;
    private final String table;

    SpreadQueue(DatabaseClient db, String table) {
        this.db = db;
        this.table = table;
    }

    /** A claimed change, and its place in the user log. */
    public record Spread(TenantUser user, long epoch, long pos) {}

    final Mono<Void> add(Spread spread, long dueMillis) {
        return bound(ADD, spread).bind("due", dueMillis).then();
    }

    /** Claims due rows: a claim is a lease until {@code untilMillis}. Concurrent claims skip locked rows. */
    public final Mono<List<Spread>> claim(long nowMillis, long untilMillis, int limit) {
        return db.sql(sql(CLAIM))
                .bind("now", nowMillis)
                .bind("until", untilMillis)
                .bind("limit", limit)
                .map(SpreadQueue::spread)
                .all()
                .collectList();
    }

    /** Extends the lease; no effect after a further change. */
    public final Mono<Void> renew(Spread spread, long untilMillis) {
        return bound(RENEW, spread).bind("until", untilMillis).then();
    }

    /** Deletes the row; no effect after a further change, which is spread anew. */
    public final Mono<Void> done(Spread spread) {
        return bound(DONE, spread).then();
    }

    private String sql(String text) {
        return text.replace("TABLE", table);
    }

    private DatabaseClient.GenericExecuteSpec bound(String text, Spread spread) {
        return db.sql(sql(text))
                .bind("tenant", spread.user.tenant().value())
                .bind("user", spread.user.user().value())
                .bind("epoch", spread.epoch)
                .bind("pos", spread.pos);
    }

    private static Spread spread(Readable row) {
        return new Spread(
                new TenantUser(
                        new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                        new UserId(RequiredColumn.of(row, "user_id", String.class))),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
