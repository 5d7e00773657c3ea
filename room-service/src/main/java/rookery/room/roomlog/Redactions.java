// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.event.Redaction;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.sql.RequiredColumn;
import rookery.room.roomlog.BatchRows.RedactedFact;
import rookery.room.table.RoomColumns;

/**
 * Removes the content of redacted events from the log (contract.md 9.6), in the transaction that appends the redaction:
 * later reads of the tables, including ranges of the log, get the stripped event.
 *
 * <p>Kafka keeps the events as announced for 24 hours. Followers also read the redaction and strip their copies.
 */
@Component
class Redactions {
    private static final String READ = """
            SELECT t.pos AS target, t.body AS target_body, r.body AS redaction_body,
                   f.pos AS follower, f.body AS follower_body
              FROM unnest(:tenants::int[], :rooms::text[], :targets::bigint[], :redactions::bigint[])
                   AS k (tenant, room_id, target, redaction)
              JOIN room.event e ON e.tenant = k.tenant AND e.room_id = k.room_id AND e.pos = k.target
              JOIN room.entry_body t ON t.shard = :shard AND t.pos = k.target
              JOIN room.entry_body r ON r.shard = :shard AND r.pos = k.redaction
              LEFT JOIN room.state s ON s.tenant = e.tenant AND s.room_id = e.room_id AND s.type = e.type
                                    AND s.state_key = e.state_key AND s.valid_from = e.pos
              LEFT JOIN room.entry_body f ON f.shard = :shard AND f.pos = s.valid_to
             ORDER BY k.redaction
            """;
    // of invited and knocking users: their member events contain a preview of the room's state
    private static final String PREVIEWS = """
            SELECT k.target, l.pos, l.body
              FROM unnest(:tenants::int[], :rooms::text[], :targets::bigint[], :redactions::bigint[])
                   AS k (tenant, room_id, target, redaction)
              JOIN room.current_member m ON m.tenant = k.tenant AND m.room_id = k.room_id
                                        AND m.membership IN ('invite', 'knock') AND m.pos > k.target
              JOIN room.entry_body l ON l.shard = :shard AND l.pos = m.pos
             ORDER BY m.pos DESC LIMIT :limit
            """;
    private static final int PREVIEWS_MAX = 1_000;
    private static final String KEEP = """
            INSERT INTO room.original (tenant, event_id, room_id, body, redacted_ms)
            SELECT k.tenant, k.event_id, k.room_id, l.body, :now
              FROM unnest(:tenants::int[], :rooms::text[], :events::text[], :targets::bigint[])
                   AS k (tenant, room_id, event_id, target)
              JOIN room.entry_body l ON l.shard = :shard AND l.pos = k.target
                ON CONFLICT (tenant, event_id) DO NOTHING
            """;
    private static final String MARK = """
            UPDATE room.event e SET redacted = k.redaction
              FROM unnest(:tenants::int[], :rooms::text[], :targets::bigint[], :redactions::bigint[])
                   AS k (tenant, room_id, target, redaction)
             WHERE e.tenant = k.tenant AND e.room_id = k.room_id AND e.pos = k.target AND e.redacted IS NULL
            """;
    private static final String REWRITE = """
            UPDATE room.log_entry l SET body = k.body
              FROM unnest(:positions::bigint[], :bodies::text[]) AS k (pos, body)
             WHERE l.shard = :shard AND l.pos = k.pos
            """;

    private final DatabaseClient db;

    Redactions(DatabaseClient db) {
        this.db = db;
    }

    private record Body(long pos, EventAppended event) {}

    private record Row(
            Body target, String redactionJson, @Nullable Body follower) {}

    /** @param target the position of the redacted event that the preview may contain */
    private record Preview(long target, Body invitation) {}

    Mono<Void> apply(int shard, List<RedactedFact> redacted, long nowMillis) {
        if (redacted.isEmpty()) {
            return Mono.empty();
        }
        return Flux.concat(
                        keep(shard, redacted, nowMillis),
                        bound(db.sql(MARK), redacted).then(),
                        read(shard, redacted)
                                .zipWhen(_ -> previews(shard, redacted))
                                .flatMap(both -> rewrite(shard, rewritten(both.getT1(), both.getT2()))))
                .then();
    }

    private Mono<List<Preview>> previews(int shard, List<RedactedFact> redacted) {
        var previewed = redacted.stream().filter(Redactions::isPreviewed).toList();
        if (previewed.isEmpty()) {
            return Mono.just(List.of());
        }
        return bound(db.sql(PREVIEWS), previewed)
                .bind("shard", shard)
                .bind("limit", PREVIEWS_MAX)
                .map(Redactions::preview)
                .all()
                .collectList();
    }

    private static boolean isPreviewed(RedactedFact redacted) {
        var target = redacted.target();
        return target.stateKey() != null
                && (EntryWriter.STRIPPED.contains(target.type())
                        || target.type().equals(EventTypes.MEMBER));
    }

    private Mono<Void> keep(int shard, List<RedactedFact> redacted, long nowMillis) {
        var rooms = redacted.stream().map(RedactedFact::room).toList();
        return db.sql(KEEP)
                .bind("shard", shard)
                .bind("now", nowMillis)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("events", texts(redacted, row -> row.target().ref().id().value()))
                .bind("targets", longs(redacted, RedactedFact::pos))
                .then();
    }

    private Mono<List<Row>> read(int shard, List<RedactedFact> redacted) {
        return bound(db.sql(READ), redacted)
                .bind("shard", shard)
                .map(Redactions::row)
                .all()
                .collectList();
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec sql, List<RedactedFact> redacted) {
        var rooms = redacted.stream().map(RedactedFact::room).toList();
        return sql.bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("targets", longs(redacted, RedactedFact::pos))
                .bind("redactions", longs(redacted, RedactedFact::at));
    }

    /**
     * The changed entries by position. One event may be redacted and also follow a redacted event, so each change is
     * applied to the result of the change before.
     */
    private static Map<Long, EventAppended> rewritten(List<Row> rows, List<Preview> previews) {
        var bodies = new HashMap<Long, EventAppended>();
        for (var preview : previews) {
            var invitation = bodies.getOrDefault(preview.invitation.pos, preview.invitation.event);
            bodies.put(preview.invitation.pos, Redaction.ofPreview(invitation, target(rows, preview.target)));
        }
        for (var row : rows) {
            var target = bodies.getOrDefault(row.target.pos, row.target.event);
            bodies.put(row.target.pos, Redaction.of(target, row.redactionJson));
            if (row.follower != null) {
                var follower = bodies.getOrDefault(row.follower.pos, row.follower.event);
                bodies.put(row.follower.pos, Redaction.ofPrevious(follower));
            }
        }
        return bodies;
    }

    private static EventAppended target(List<Row> rows, long pos) {
        return rows.stream().filter(row -> row.target.pos == pos).findFirst().orElseThrow().target.event;
    }

    private Mono<Void> rewrite(int shard, Map<Long, EventAppended> bodies) {
        var entries = List.copyOf(bodies.entrySet());
        return db.sql(REWRITE)
                .bind("shard", shard)
                .bind("positions", longs(entries, Map.Entry::getKey))
                .bind("bodies", texts(entries, entry -> RoomLogText.write(entry.getValue())))
                .then();
    }

    private static Preview preview(Readable row) {
        return new Preview(
                RequiredColumn.of(row, "target", Long.class),
                new Body(
                        RequiredColumn.of(row, "pos", Long.class),
                        event(RequiredColumn.of(row, "body", String.class))));
    }

    private static Row row(Readable row) {
        Long follower = row.get("follower", Long.class);
        return new Row(
                new Body(
                        RequiredColumn.of(row, "target", Long.class),
                        event(RequiredColumn.of(row, "target_body", String.class))),
                event(RequiredColumn.of(row, "redaction_body", String.class)).eventJson(),
                follower == null
                        ? null
                        : new Body(follower, event(RequiredColumn.of(row, "follower_body", String.class))));
    }

    private static EventAppended event(String body) {
        if (RoomLogText.read(RoomLogRecord.EVENT, body) instanceof EventAppended event) {
            return event;
        }
        throw new IllegalStateException("a redaction concerns an entry that is no event");
    }
}
