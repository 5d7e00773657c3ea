// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.longs;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.BoundStatement;
import tools.jackson.databind.node.ObjectNode;

/** The index of message texts. Rows are written in the transaction of the event, so every committed event is found. */
@Component
public class SearchIndex {
    private static final String INSERT = """
            INSERT INTO room.search (tenant, room_id, pos, shard, key, url, sender, ts, words)
            SELECT tenant, room_id, pos, shard, key, url, sender, :now, words::tsvector
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[], :shards::int[], :keys::smallint[], :urls::boolean[],
                          :senders::text[], :words::text[])
                   AS k (tenant, room_id, pos, shard, key, url, sender, words)
            """;

    private static final String REMOVE = """
            DELETE FROM room.search s
             USING unnest(:tenants::int[], :rooms::text[], :positions::bigint[]) AS k (tenant, room_id, pos)
             WHERE s.tenant = k.tenant AND s.room_id = k.room_id AND s.pos = k.pos
            """;

    private final DatabaseClient db;

    SearchIndex(DatabaseClient db) {
        this.db = db;
    }

    public enum Searchable {
        BODY(1, EventTypes.MESSAGE, "body"),
        NAME(2, EventTypes.NAME, "name"),
        TOPIC(3, EventTypes.TOPIC, "topic");

        /** The value in the column {@code key}. */
        public final short number;
        /** The type of the events with the field. */
        public final String type;
        /** The field of the content, as {@code content.…} in a search request. */
        public final String field;

        Searchable(int number, String type, String field) {
            this.number = (short) number;
            this.type = type;
            this.field = field;
        }
    }

    public record Place(TenantRoom room, long pos) {}

    /** The words of an event with their places, as a tsvector literal of PostgreSQL. */
    public record Words(Searchable key, boolean url, String vector) {
        /** Null for an event without searchable words. */
        public static @Nullable Words of(TenantRoom room, String type, @Nullable String stateKey, ObjectNode content) {
            for (var key : Searchable.values()) {
                boolean isOfKey = key.type.equals(type) && (stateKey != null) == (key != Searchable.BODY);
                if (isOfKey && content.path(key.field).isString()) {
                    String vector =
                            SearchWords.vector(room, content.path(key.field).stringValue());
                    boolean url = content.path("url").isString();
                    return vector.isEmpty() ? null : new Words(key, url, vector);
                }
            }
            return null;
        }
    }

    public record Row(Place place, int shard, UserId sender, Words words) {}

    /** Called in the transaction of the events. */
    public Mono<Void> insert(List<Row> rows, long nowMillis) {
        return rows.isEmpty() ? Mono.empty() : insertion(rows, nowMillis).execute(db);
    }

    public static BoundStatement insertion(List<Row> rows, long nowMillis) {
        return bound(INSERT, rows.stream().map(Row::place).toList())
                .bind("now", nowMillis)
                .bind("shards", array(rows, Row::shard, Integer[]::new))
                .bind("keys", array(rows, row -> row.words.key.number, Short[]::new))
                .bind("urls", array(rows, row -> row.words.url, Boolean[]::new))
                .bind("senders", array(rows, row -> row.sender.value(), String[]::new))
                .bind("words", array(rows, row -> row.words.vector, String[]::new));
    }

    /** Removes events from the index; events without a row are skipped. */
    public Mono<Void> remove(Collection<Place> events) {
        return events.isEmpty() ? Mono.empty() : bound(REMOVE, events).execute(db);
    }

    private static BoundStatement bound(String sql, Collection<Place> places) {
        var rooms = places.stream().map(Place::room).toList();
        return new BoundStatement(sql)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("positions", longs(places, Place::pos));
    }

    private static <T> T[] array(List<Row> rows, Function<Row, T> field, java.util.function.IntFunction<T[]> maker) {
        return rows.stream().map(field).toArray(maker);
    }
}
