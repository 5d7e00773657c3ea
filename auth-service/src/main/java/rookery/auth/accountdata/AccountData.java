// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;
import rookery.platform.sql.RequiredColumn;

/** The current account data of each user. Rows change only in the transaction that appends the entry to the user log. */
@Component
class AccountData {
    private static final String FIND = """
            SELECT type, room_id, content, pos
              FROM auth.account_data
             WHERE tenant = :tenant AND user_id = :user AND room_id = :room AND type = :type
            """;

    /** Writes nothing if the user's account data would exceed the limit. Every row counts :each bytes beside its content. */
    private static final String PUT = """
            INSERT INTO auth.account_data (tenant, user_id, room_id, type, content, pos)
            SELECT :tenant, :user, :room, :type, :content, :pos
              FROM (SELECT coalesce(sum(octet_length(d.content) + :each), 0) AS bytes,
                           coalesce(sum(octet_length(d.content) + :each)
                                        FILTER (WHERE d.room_id = :room AND d.type = :type), 0) AS replaced
                      FROM auth.account_data d WHERE d.tenant = :tenant AND d.user_id = :user) a
             WHERE a.bytes - a.replaced + octet_length(:content) + :each <= greatest(a.bytes, :most)
                ON CONFLICT (tenant, user_id, room_id, type) DO UPDATE
               SET content = excluded.content, pos = excluded.pos
            """;

    /** The limit for one user in sum: sync nodes keep all account data of connected users in memory. */
    static final int BYTES_MAX = 8 << 20;

    /** The estimated size of a row's names and of its objects in memory. */
    static final int BYTES_OF_EACH = 256;

    private static final String CHANGED_AFTER = """
            SELECT type, room_id, content, pos
              FROM auth.account_data
             WHERE tenant = :tenant AND user_id = :user AND pos > :after
             ORDER BY pos
            """;

    private static final String HEAD = """
            SELECT epoch, pos FROM auth.shard WHERE shard = :shard
            """;

    private final DatabaseClient db;
    private final TransactionalOperator snapshot;

    AccountData(DatabaseClient db, ReactiveTransactionManager transactions) {
        this.db = db;
        var definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        definition.setReadOnly(true);
        this.snapshot = TransactionalOperator.create(transactions, definition);
    }

    /** Empty if the key was never set. */
    Mono<AccountDataRow> find(DataKey key) {
        return of(FIND, key).map(AccountData::stored).one();
    }

    /** True if the row was written. A write that does not enlarge the user's account data always succeeds. */
    Mono<Boolean> put(DataKey key, String content, long pos) {
        return of(PUT, key)
                .bind("content", content)
                .bind("pos", pos)
                .bind("most", BYTES_MAX)
                .bind("each", BYTES_OF_EACH)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** The rows that were set after the position (0 for all), with the end of the user's shard in the same snapshot. */
    Mono<Snapshot> changedAfter(TenantId tenant, UserId user, long after) {
        return head(user)
                .flatMap(head -> rowsAfter(tenant, user, after).map(changed -> new Snapshot(head, changed)))
                .as(snapshot::transactional);
    }

    private Mono<List<AccountDataRow>> rowsAfter(TenantId tenant, UserId user, long after) {
        return db.sql(CHANGED_AFTER)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("after", after)
                .map(AccountData::stored)
                .all()
                .collectList();
    }

    private Mono<Head> head(UserId user) {
        int shard = Shards.of(user);
        return db.sql(HEAD)
                .bind("shard", shard)
                .map(row -> new Head(
                        shard, RequiredColumn.of(row, "epoch", Long.class), RequiredColumn.of(row, "pos", Long.class)))
                .one();
    }

    /** @param head the end of the user's shard of the log */
    record Snapshot(Head head, List<AccountDataRow> changed) {}

    private GenericExecuteSpec of(String sql, DataKey key) {
        return db.sql(sql)
                .bind("tenant", key.tenant())
                .bind("user", key.user())
                .bind("room", key.room() == null ? "" : key.room().value())
                .bind("type", key.type());
    }

    /** @param room null for global data */
    record AccountDataRow(String type, @Nullable RoomId room, String content, long pos) {}

    private static AccountDataRow stored(Readable row) {
        String room = RequiredColumn.of(row, "room_id", String.class);
        return new AccountDataRow(
                RequiredColumn.of(row, "type", String.class),
                room.isEmpty() ? null : new RoomId(room),
                RequiredColumn.of(row, "content", String.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
