// SPDX-License-Identifier: Apache-2.0
package rookery.room.transaction;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.platform.sql.BoundStatement;
import rookery.platform.sql.RequiredColumn;
import rookery.room.transaction.TransactionBuckets.BucketTurn;

/** The table {@code room.transaction}: answers to requests with a transaction id, kept for 24 hours (contract.md 2.7). */
@Component
public class Transactions {
    private static final String FIND = """
            SELECT t.tenant, t.user_id, t.device_id, t.request, t.txn_id, t.event_id
              FROM unnest(:tenants::int[], :users::text[], :devices::text[], :requests::text[], :txns::text[])
                   AS k (tenant, user_id, device_id, request, txn_id)
              JOIN room.transaction t USING (tenant, user_id, device_id, request, txn_id)
            """;

    private static final String INSERT = """
            INSERT INTO room.transaction (tenant, user_id, device_id, request, txn_id, event_id, bucket, created_ms)
            SELECT tenant, user_id, device_id, request, txn_id, event_id, :bucket, :now
              FROM unnest(:tenants::int[], :users::text[], :devices::text[], :requests::text[], :txns::text[],
                          :events::text[])
                   AS k (tenant, user_id, device_id, request, txn_id, event_id)
            """;

    private static final String CLAIM = """
            UPDATE room.transaction_bucket SET emptied_for = :turn WHERE bucket = :bucket AND emptied_for < :turn
            """;

    /** Without NOWAIT, a TRUNCATE that waits for the reads of a backup would make every append wait. */
    private static final String TAKE = "LOCK TABLE room.transaction_BUCKET IN ACCESS EXCLUSIVE MODE NOWAIT";

    private static final String EMPTY = "TRUNCATE room.transaction_BUCKET";

    private final DatabaseClient db;
    private final TransactionalOperator tx;

    Transactions(DatabaseClient db, TransactionalOperator tx) {
        this.db = db;
        this.tx = tx;
    }

    public Mono<Map<TransactionKey, EventId>> find(Collection<TransactionKey> keys) {
        if (keys.isEmpty()) {
            return Mono.just(Map.of());
        }
        return query(keys)
                .in(db)
                .map(row -> Map.entry(key(row), RequiredColumn.of(row, "event_id", EventId.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Reads the answers of earlier requests. */
    public static BoundStatement query(Collection<TransactionKey> keys) {
        return bound(FIND, keys);
    }

    public Mono<Void> insert(Map<TransactionKey, EventId> answers, long nowMillis) {
        return answers.isEmpty() ? Mono.empty() : insertion(answers, nowMillis).execute(db);
    }

    public static BoundStatement insertion(Map<TransactionKey, EventId> answers, long nowMillis) {
        return bound(INSERT, answers.keySet())
                .bind("events", answers.values().stream().map(EventId::value).toArray(String[]::new))
                .bind("bucket", TransactionBuckets.bucket(nowMillis))
                .bind("now", nowMillis);
    }

    /** Empties a bucket for its next turn, unless another instance has done so. */
    Mono<Void> empty(BucketTurn due) {
        return db.sql(CLAIM)
                .bind("bucket", due.bucket())
                .bind("turn", due.turn())
                .fetch()
                .rowsUpdated()
                .filter(claimed -> claimed > 0)
                .flatMap(_ ->
                        db.sql(of(TAKE, due)).then().then(db.sql(of(EMPTY, due)).then()))
                .as(tx::transactional);
    }

    private static String of(String statement, BucketTurn due) {
        return statement.replace("BUCKET", Short.toString(due.bucket()));
    }

    private static BoundStatement bound(String sql, Collection<TransactionKey> keys) {
        return new BoundStatement(sql)
                .bind("tenants", keys.stream().map(k -> k.tenant().value()).toArray(Integer[]::new))
                .bind("users", keys.stream().map(k -> k.user().value()).toArray(String[]::new))
                .bind("devices", keys.stream().map(k -> k.device().value()).toArray(String[]::new))
                .bind("requests", keys.stream().map(TransactionKey::request).toArray(String[]::new))
                .bind("txns", keys.stream().map(k -> k.txn().value()).toArray(String[]::new));
    }

    private static TransactionKey key(Readable row) {
        return new TransactionKey(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "device_id", DeviceId.class),
                RequiredColumn.of(row, "request", String.class),
                RequiredColumn.of(row, "txn_id", TransactionId.class));
    }
}
