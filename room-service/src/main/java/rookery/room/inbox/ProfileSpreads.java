package rookery.room.inbox;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.inbox.ProfileCopies.Who;

/** Changed profiles that the rooms do not show yet. */
@Component
public class ProfileSpreads {
    // one that waits already is not put off by further changes, and one that somebody works on comes again soon
    private static final String ADD = """
            INSERT INTO room.profile_spread (tenant, user_id, epoch, pos, due_ms)
            VALUES (:tenant, :user, :epoch, :pos, :due)
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET epoch = excluded.epoch, pos = excluded.pos, due_ms = least(profile_spread.due_ms, excluded.due_ms)
            """;

    private static final String CLAIM = """
            UPDATE room.profile_spread s SET due_ms = :until
              FROM (SELECT tenant, user_id FROM room.profile_spread
                     WHERE due_ms <= :now ORDER BY due_ms LIMIT :limit FOR UPDATE SKIP LOCKED) k
             WHERE s.tenant = k.tenant AND s.user_id = k.user_id
            RETURNING s.tenant, s.user_id, s.epoch, s.pos
            """;

    private static final String RENEW = """
            UPDATE room.profile_spread SET due_ms = :until
             WHERE tenant = :tenant AND user_id = :user AND epoch = :epoch AND pos = :pos
            """;

    private static final String DONE = """
            DELETE FROM room.profile_spread
             WHERE tenant = :tenant AND user_id = :user AND epoch = :epoch AND pos = :pos
            """;

    private final DatabaseClient db;

    ProfileSpreads(DatabaseClient db) {
        this.db = db;
    }

    /** A change that this instance is to spread, until somebody else may. */
    public record Spread(Who who, long epoch, long pos) {}

    Mono<Void> add(Spread spread, long dueMillis) {
        return bound(ADD, spread).bind("due", dueMillis).then();
    }

    /** Some that are due; nobody else gets them before that time. */
    public Mono<List<Spread>> claim(long nowMillis, long untilMillis, int limit) {
        return db.sql(CLAIM)
                .bind("now", nowMillis)
                .bind("until", untilMillis)
                .bind("limit", limit)
                .map(ProfileSpreads::spread)
                .all()
                .collectList();
    }

    /** Keeps others away for longer, unless the profile was changed again. */
    public Mono<Void> renew(Spread spread, long untilMillis) {
        return bound(RENEW, spread).bind("until", untilMillis).then();
    }

    /** Unless the profile was changed again, which is spread anew. */
    public Mono<Void> done(Spread spread) {
        return bound(DONE, spread).then();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, Spread spread) {
        return db.sql(sql)
                .bind("tenant", spread.who.tenant().value())
                .bind("user", spread.who.user().value())
                .bind("epoch", spread.epoch)
                .bind("pos", spread.pos);
    }

    private static Spread spread(Readable row) {
        return new Spread(
                new Who(
                        new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                        new UserId(RequiredColumn.of(row, "user_id", String.class))),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
