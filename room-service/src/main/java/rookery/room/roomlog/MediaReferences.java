// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.MediaId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.BoundStatement;
import rookery.platform.sql.Portions;
import rookery.room.roomlog.BatchRows.RedactedFact;
import rookery.room.table.RoomColumns;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * References from events to uploaded files of the sender's server, as written by appends: a file with redacted
 * references only is deleted later (contract.md 13.4). Member events are left out, because profiles reference avatars;
 * encrypted content cannot be read.
 */
@Component
class MediaReferences {
    /** References stored for one event at most; events that display files have far fewer. */
    private static final int PER_EVENT_MAX = 100;

    private static final String INSERT = """
            INSERT INTO room.media_reference (tenant, room_id, pos, media_id, sender)
            SELECT tenant, room_id, pos, media_id, sender
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[], :media::text[], :senders::text[])
                   AS k (tenant, room_id, pos, media_id, sender)
            """;

    private static final String REDACT = """
            UPDATE room.media_reference r SET redacted_ms = :now
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[]) AS k (tenant, room_id, pos)
             WHERE r.tenant = k.tenant AND r.room_id = k.room_id AND r.pos = k.pos AND r.redacted_ms IS NULL
            """;

    private final DatabaseClient db;

    MediaReferences(DatabaseClient db) {
        this.db = db;
    }

    /** A reference from the event at {@code pos} to a file. */
    record Row(TenantRoom room, long pos, MediaId media, UserId sender) {
        static List<Row> of(Events.Row event, ObjectNode content) {
            if (event.type().equals(EventTypes.MEMBER)) {
                return List.of();
            }
            var media = new LinkedHashSet<MediaId>();
            collect(content, event.sender(), media);
            return media.stream()
                    .map(id -> new Row(event.room(), event.pos(), id, event.sender()))
                    .toList();
        }

        private static void collect(JsonNode node, UserId sender, Set<MediaId> media) {
            var id = node.isString() ? MediaId.ofServer(sender, node.stringValue()) : null;
            if (id != null && media.size() < PER_EVENT_MAX) {
                media.add(id);
            }
            for (var child : node) {
                collect(child, sender, media);
            }
        }
    }

    Mono<Void> insert(List<Row> rows) {
        return Portions.each(rows, portion -> insertion(portion).execute(db));
    }

    /** @param rows at most one portion */
    static BoundStatement insertion(List<Row> rows) {
        var rooms = rows.stream().map(Row::room).toList();
        return new BoundStatement(INSERT)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("positions", longs(rows, Row::pos))
                .bind("media", texts(rows, row -> row.media.value()))
                .bind("senders", texts(rows, row -> row.sender.value()));
    }

    /** Marks references of redacted events; the files are examined after {@code rookery.room.media.redacted.keep-for}. */
    Mono<Void> redact(List<RedactedFact> redacted, long nowMillis) {
        if (redacted.isEmpty()) {
            return Mono.empty();
        }
        var rooms = redacted.stream().map(RedactedFact::room).toList();
        return db.sql(REDACT)
                .bind("now", nowMillis)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("positions", longs(redacted, RedactedFact::pos))
                .then();
    }
}
