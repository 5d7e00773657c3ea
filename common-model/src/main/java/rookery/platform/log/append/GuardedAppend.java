// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;
import rookery.platform.sql.BoundStatement;
import rookery.platform.sql.GuardedStatement;

/**
 * Appends a batch with one statement, without BEGIN and COMMIT, while the shards still end where the last batches of this process
 * ended (design.md 12, Append).
 *
 * <p>The statement has one snapshot, from before its locks. One is enough: a shard that another transaction has locked is left
 * out, and PostgreSQL compares position and number once more with the newest version of a row that has changed since the snapshot.
 * A true guard thus proves that no other process has appended to these shards since the batch of that number.
 */
final class GuardedAppend {
    private static final String GUARD = """
            SELECT count(*) = :count AND SAME_ORIGIN AND NOT EXISTS (UNLESS) AS holds
              FROM (SELECT FROM unnest(:ended::int[], :epochs::bigint[], :lasts::bigint[], :batches::bigint[])
                             AS k (shard, epoch, pos, number)
                      JOIN SCHEMA.shard s
                        ON s.shard = k.shard AND s.epoch = k.epoch AND s.pos = k.pos AND s.number = k.number
                     ORDER BY s.shard
                       FOR UPDATE OF s SKIP LOCKED) locked""";

    private static final String MOVE = """
            UPDATE SCHEMA.shard s SET pos = h.last, number = :batch
              FROM unnest(:ended::int[], :lasts::bigint[]) AS h (shard, last)
             WHERE s.shard = h.shard AND (SELECT holds FROM guard)""";

    private static final String NUMBER = """
            INSERT INTO SCHEMA.batch (shard, last_pos, number, created_ms)
            SELECT h.shard, h.last, :batch, :now FROM unnest(:ended::int[], :lasts::bigint[]) AS h (shard, last)
             WHERE (SELECT holds FROM guard)""";

    private static final String INSERT = """
            INSERT INTO SCHEMA.TABLE (shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body)
            SELECT e.shard, e.pos, e.kind, e.unit_end, e.tenant, e.room_id, e.subject, :now, e.body
              FROM unnest(:shards::int[], :positions::bigint[], :kinds::text[], :unitEnds::boolean[],
                          :tenants::int[], :rooms::text[], :subjects::text[], :bodies::text[])
                   AS e (shard, pos, kind, unit_end, tenant, room_id, subject, body)
             WHERE (SELECT holds FROM guard)""";

    private static final BoundStatement NOTHING = new BoundStatement("SELECT WHERE false");

    private final DatabaseClient db;
    private final @Nullable String supersededKind;
    private final String guard;
    private final String move;
    private final String number;
    private final String insert;
    private final String insertSuperseded;

    GuardedAppend(DatabaseClient db, String schema, @Nullable String supersededKind) {
        this.db = db;
        this.supersededKind = supersededKind;
        this.guard = GUARD.replace("SAME_ORIGIN", LogEpochs.SAME_ORIGIN).replace("SCHEMA", schema);
        this.move = MOVE.replace("SCHEMA", schema);
        this.number = NUMBER.replace("SCHEMA", schema);
        this.insert = INSERT.replace("SCHEMA", schema).replace("TABLE", "log_entry");
        this.insertSuperseded = INSERT.replace("SCHEMA", schema).replace("TABLE", supersededKind + "_entry");
    }

    /**
     * Appends the entries. False if nothing was written, because a shard was locked or ends elsewhere, or by {@code unless}.
     *
     * @param from the expected ends of the batch's shards
     * @param unless nothing is written if this query has a row; its parameters have other names than those of the guard
     * @param derived the owner's other rows; each statement has the condition {@code (SELECT holds FROM guard)}
     */
    Mono<Boolean> append(
            List<Head> from,
            long batch,
            List<LogRecord> entries,
            long nowMillis,
            @Nullable BoundStatement unless,
            List<BoundStatement> derived) {
        var ends = new LinkedHashMap<Integer, Long>();
        entries.forEach(entry -> ends.put(entry.shard(), entry.pos()));
        var statement = new GuardedStatement(guard(from, Objects.requireNonNullElse(unless, NOTHING)))
                .add(LogEntries.ends(move, ends, batch))
                .add(LogEntries.ends(number, ends, batch).bind("now", nowMillis));
        addEntries(
                statement,
                insert,
                entries.stream().filter(entry -> !isSuperseded(entry)).toList(),
                nowMillis);
        addEntries(
                statement,
                insertSuperseded,
                entries.stream().filter(this::isSuperseded).toList(),
                nowMillis);
        derived.forEach(statement::add);
        return statement.execute(db);
    }

    private boolean isSuperseded(LogRecord entry) {
        return entry.kind().equals(supersededKind);
    }

    private BoundStatement guard(List<Head> from, BoundStatement unless) {
        var bound = unless.within(guard, "UNLESS");
        return bound.bind("count", from.size())
                .bind("ended", from.stream().map(Head::shard).toArray(Integer[]::new))
                .bind("epochs", from.stream().map(Head::epoch).toArray(Long[]::new))
                .bind("lasts", from.stream().map(Head::pos).toArray(Long[]::new))
                .bind("batches", from.stream().map(Head::number).toArray(Long[]::new));
    }

    private static void addEntries(GuardedStatement statement, String insert, List<LogRecord> entries, long nowMillis) {
        if (!entries.isEmpty()) {
            statement.add(LogEntries.bindEntries(new BoundStatement(insert), entries, nowMillis));
        }
    }
}
