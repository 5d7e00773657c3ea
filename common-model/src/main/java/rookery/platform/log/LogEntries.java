package rookery.platform.log;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

/** The tables {@code shard} and {@code log_entry} of one service's log. */
public final class LogEntries {
    private static final String LOCK = """
            SELECT shard, epoch, pos FROM SCHEMA.shard WHERE shard = :shard FOR UPDATE
            """;

    private static final String APPEND = """
            WITH bumped AS (UPDATE SCHEMA.shard SET pos = pos + :count WHERE shard = :shard)
            INSERT INTO SCHEMA.log_entry
                   (shard, pos, batch, kind, unit_end, tenant, room_id, subject, created_ms, body)
            SELECT :shard, :head + e.n, :batch, e.kind, e.unit_end, e.tenant,
                   nullif(e.room_id, ''), nullif(e.subject, ''), :now, e.body
              FROM unnest(:kinds::text[], :unitEnds::boolean[], :tenants::int[],
                          :rooms::text[], :subjects::text[], :bodies::text[])
                   WITH ORDINALITY AS e (kind, unit_end, tenant, room_id, subject, body, n)
            """;

    private static final String LANDED = """
            SELECT 1 AS landed FROM SCHEMA.log_entry
             WHERE shard = :shard AND pos > :after AND batch = :batch LIMIT 1
            """;

    private static final String HEADS = """
            SELECT shard, epoch, pos FROM SCHEMA.shard ORDER BY shard
            """;

    private static final String RANGE = """
            SELECT s.epoch, s.pos AS head, e.found, e.pos, e.kind, e.unit_end, e.tenant, e.room_id, e.subject, e.body
              FROM SCHEMA.shard s
              LEFT JOIN LATERAL (SELECT l.*, count(*) OVER () AS found,
                                        sum(octet_length(l.body)) OVER (ORDER BY l.pos) - octet_length(l.body) AS before
                                   FROM (SELECT * FROM SCHEMA.log_entry
                                          WHERE shard = s.shard AND pos > :after
                                          ORDER BY pos LIMIT :limit) l) e
                   ON e.before < :bytes
             WHERE s.shard = :shard
             ORDER BY e.pos
            """;

    /** Of the bodies in one answer, but for the last: entries may be 64 kB each, and whoever starts reads a thousand of each shard. */
    private static final int RANGE_BYTES_MAX = 4 << 20;

    private final DatabaseClient db;
    private final String lock;
    private final String append;
    private final String landed;
    private final String heads;
    private final String range;

    /** @param schema the service's own schema, such as {@code room}; never from outside */
    public LogEntries(DatabaseClient db, String schema) {
        this.db = db;
        this.lock = LOCK.replace("SCHEMA", schema);
        this.append = APPEND.replace("SCHEMA", schema);
        this.landed = LANDED.replace("SCHEMA", schema);
        this.heads = HEADS.replace("SCHEMA", schema);
        this.range = RANGE.replace("SCHEMA", schema);
    }

    Mono<Head> lock(int shard) {
        return db.sql(lock).bind("shard", shard).map(LogEntries::head).one();
    }

    /** Writes the entries behind the head and moves it; in the transaction that locked the shard. */
    Mono<Void> append(Head head, long batch, List<LogRecord> entries, long nowMillis) {
        return Portions.each(entries, portion -> appendPortion(head, batch, portion, nowMillis));
    }

    private Mono<Void> appendPortion(Head head, long batch, List<LogRecord> entries, long nowMillis) {
        return db.sql(append)
                .bind("shard", head.shard())
                .bind("head", entries.getFirst().pos() - 1)
                .bind("count", entries.size())
                .bind("batch", batch)
                .bind("now", nowMillis)
                .bind("kinds", entries.stream().map(LogRecord::kind).toArray(String[]::new))
                .bind("unitEnds", entries.stream().map(LogRecord::unitEnd).toArray(Boolean[]::new))
                .bind("tenants", entries.stream().map(e -> e.tenant().value()).toArray(Integer[]::new))
                .bind("rooms", entries.stream().map(LogEntries::room).toArray(String[]::new))
                .bind("subjects", entries.stream().map(LogEntries::subject).toArray(String[]::new))
                .bind("bodies", entries.stream().map(LogRecord::body).toArray(String[]::new))
                .then();
    }

    /** Whether the batch is in the log, somewhere after that position; the shard must be locked. */
    Mono<Boolean> landed(int shard, long after, long batch) {
        return db.sql(landed)
                .bind("shard", shard)
                .bind("after", after)
                .bind("batch", batch)
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    /** The ends of all shards, as of one moment. */
    public Mono<Heads> heads() {
        return db.sql(heads).map(LogEntries::head).all().collectList().map(LogEntries::heads);
    }

    /** The entries after a position, and how far this answer reaches: gaps in it are gone for good. */
    Mono<Range> range(int shard, long after, int limit) {
        return db.sql(range)
                .bind("shard", shard)
                .bind("after", after)
                .bind("limit", limit)
                .bind("bytes", RANGE_BYTES_MAX)
                .map(row -> row(shard, row))
                .all()
                .collectList()
                .map(rows -> range(rows, limit));
    }

    private static Heads heads(List<Head> all) {
        long[] positions = new long[all.size()];
        all.forEach(head -> positions[head.shard()] = head.pos());
        return new Heads(all.getFirst().epoch(), Positions.of(positions));
    }

    private static Range range(List<Row> rows, int limit) {
        var entries = new ArrayList<LogRecord>();
        for (var row : rows) {
            if (row.entry != null) {
                entries.add(row.entry);
            }
        }
        var first = rows.getFirst();
        boolean cut = entries.size() == limit || entries.size() < first.found;
        long coveredTo = cut ? entries.getLast().pos() : first.head;
        return new Range(first.epoch, entries, coveredTo, first.head);
    }

    /** @param found how many entries there were within the limit, of which those after too many bytes are left out */
    private record Row(
            long epoch, long head, long found, @Nullable LogRecord entry) {}

    private static Row row(int shard, Readable row) {
        long epoch = RequiredColumn.of(row, "epoch", Long.class);
        long head = RequiredColumn.of(row, "head", Long.class);
        Long pos = row.get("pos", Long.class);
        if (pos == null) {
            return new Row(epoch, head, 0, null);
        }
        String room = row.get("room_id", String.class);
        String subject = row.get("subject", String.class);
        return new Row(
                epoch,
                head,
                RequiredColumn.of(row, "found", Long.class),
                new LogRecord(
                        shard,
                        epoch,
                        pos,
                        RequiredColumn.of(row, "kind", String.class),
                        RequiredColumn.of(row, "unit_end", Boolean.class),
                        new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                        room == null ? null : new RoomId(room),
                        subject == null ? null : new UserId(subject),
                        RequiredColumn.of(row, "body", String.class)));
    }

    private static Head head(Readable row) {
        return new Head(
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }

    private static String room(LogRecord entry) {
        return entry.room() == null ? "" : Objects.requireNonNull(entry.room()).value();
    }

    private static String subject(LogRecord entry) {
        return entry.subject() == null
                ? ""
                : Objects.requireNonNull(entry.subject()).value();
    }
}
