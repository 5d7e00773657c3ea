// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.Candidate;

/** The annotations of events: a sender annotates an event with a key only once (contract.md 9.7). */
@Component
public class Annotations {
    private static final String FIND = """
            SELECT k.tenant, k.room_id, k.parent, k.sender, k.type, k.rel_key, e.event_id
              FROM unnest(:tenants::int[], :rooms::text[], :parents::text[], :senders::text[], :types::text[],
                          :keys::text[])
                   AS k (tenant, room_id, parent, sender, type, rel_key)
              JOIN room.unredacted_event e ON e.tenant = k.tenant AND e.parent = k.parent AND e.sender = k.sender
                               AND md5(e.rel_key) = md5(k.rel_key) AND e.rel_key = k.rel_key
                               AND e.rel_type = 'm.annotation' AND e.rel_key IS NOT NULL
                               AND e.type = k.type AND e.room_id = k.room_id AND e.state_key IS NULL
            """;

    private final DatabaseClient db;

    Annotations(DatabaseClient db) {
        this.db = db;
    }

    /** An annotation, unique for each parent, sender, type and key. */
    public record Annotation(TenantRoom room, EventId parent, UserId sender, String type, String key) {
        /** Null for an event that is no annotation, or has no key. */
        public static @Nullable Annotation of(TenantRoom room, Candidate candidate) {
            var relation = candidate.stateKey() == null ? Relation.of(candidate.content()) : null;
            return relation == null
                            || relation.key() == null
                            || !relation.type().equals(Relation.ANNOTATION)
                    ? null
                    : new Annotation(room, relation.parent(), candidate.sender(), candidate.type(), relation.key());
        }
    }

    /** The unredacted events that make the annotations; free annotations are absent. */
    public Mono<Map<Annotation, EventId>> find(Collection<Annotation> annotations) {
        if (annotations.isEmpty()) {
            return Mono.just(Map.of());
        }
        var rooms = annotations.stream().map(Annotation::room).toList();
        return db.sql(FIND)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("parents", texts(annotations, annotation -> annotation.parent.value()))
                .bind("senders", texts(annotations, annotation -> annotation.sender.value()))
                .bind("types", texts(annotations, Annotation::type))
                .bind("keys", texts(annotations, Annotation::key))
                .map(row -> Map.entry(annotation(row), RequiredColumn.of(row, "event_id", EventId.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static Annotation annotation(Readable row) {
        return new Annotation(
                RoomColumns.room(row),
                RequiredColumn.of(row, "parent", EventId.class),
                RequiredColumn.of(row, "sender", UserId.class),
                RequiredColumn.of(row, "type", String.class),
                RequiredColumn.of(row, "rel_key", String.class));
    }
}
