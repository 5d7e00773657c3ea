// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.room.section.SectionRows.Stretch;

/** Members of rooms for computing device lists; many rooms in one statement. */
@Component
class DeviceListRows {
    // the row may be of a change after the range, which the reader then gets early
    private static final String CHANGED = """
            SELECT DISTINCT d.user_id
              FROM unnest(:rooms::text[], :afters::bigint[], :uptos::bigint[]) AS k (room_id, after, upto)
             CROSS JOIN LATERAL (SELECT c.user_id FROM room.device_list c
                                  WHERE c.tenant = :tenant AND c.room_id = k.room_id AND c.pos > k.after OFFSET 0) d
              JOIN room.member_history m ON m.tenant = :tenant AND m.room_id = k.room_id AND m.user_id = d.user_id
                                        AND m.valid_from <= k.upto AND m.valid_to > k.upto AND m.membership = 'join'
             WHERE d.user_id <> :user
            """;

    // users who were joined throughout, or at no time, are left out
    private static final String MOVED = """
            SELECT m.user_id, m.inside
              FROM unnest(:rooms::text[], :afters::bigint[], :uptos::bigint[]) AS k (room_id, after, upto)
             CROSS JOIN LATERAL (SELECT v.user_id,
                                        bool_or(v.membership = 'join' AND v.valid_to > k.upto) AS inside,
                                        bool_or(v.membership = 'join') AS joined,
                                        bool_and(v.membership = 'join') AS stayed
                                   FROM room.member_history v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.valid_from > k.after AND v.valid_from <= k.upto AND v.user_id <> :user
                                  GROUP BY v.user_id OFFSET 0) m
             CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM room.member_history b
                                                 WHERE b.tenant = :tenant AND b.room_id = k.room_id
                                                   AND b.user_id = m.user_id AND b.valid_from <= k.after AND b.valid_to > k.after
                                                   AND b.membership = 'join') AS before) w
             WHERE (m.joined OR w.before) AND NOT (m.inside AND m.stayed AND w.before)
            """;

    // rows that ended after the beginning: uses the index on their ends
    private static final String JOINED = """
            SELECT DISTINCT m.user_id
              FROM unnest(:rooms::text[], :afters::bigint[], :uptos::bigint[]) AS k (room_id, after, upto)
             CROSS JOIN LATERAL (SELECT v.user_id FROM room.member_history v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.membership = 'join' AND v.valid_from <= k.upto AND v.valid_to > k.after
                                 OFFSET 0) m
             WHERE m.user_id <> :user
            """;

    private static final String UNSHARED = """
            SELECT u.user_id
              FROM unnest(:users::text[]) AS u (user_id)
             WHERE NOT EXISTS (
                   SELECT 1
                     FROM unnest(:rooms::text[], :afters::bigint[], :uptos::bigint[]) AS k (room_id, after, upto)
                     JOIN room.member_history m ON m.tenant = :tenant AND m.room_id = k.room_id
                                               AND m.user_id = u.user_id AND m.valid_from <= k.upto
                                               AND m.valid_to > k.upto AND m.membership = 'join' AND m.user_id <> :user)
            """;

    private final DatabaseClient db;

    DeviceListRows(DatabaseClient db) {
        this.db = db;
    }

    /** A user whose membership changed, and whether the user is joined at the range's end. */
    record MovedMember(String user, boolean inside) {}

    /** Members at the ranges' ends whose devices or keys have changed within the ranges. */
    Mono<List<String>> changed(TenantUser reader, List<Stretch> rooms) {
        return users(CHANGED, reader, rooms);
    }

    /** Users who were joined for a part of a range. */
    Mono<List<MovedMember>> moved(TenantUser reader, List<Stretch> rooms) {
        return rooms.isEmpty()
                ? Mono.just(List.of())
                : bound(MOVED, reader, rooms)
                        .map(row -> new MovedMember(
                                RequiredColumn.of(row, "user_id", String.class),
                                RequiredColumn.of(row, "inside", Boolean.class)))
                        .all()
                        .collectList();
    }

    /** Users who were joined at any time of a range, or at its end. */
    Mono<List<String>> joined(TenantUser reader, List<Stretch> rooms) {
        return users(JOINED, reader, rooms);
    }

    /** The given users without a join in any of the rooms at the ranges' ends. */
    Mono<List<String>> unshared(TenantUser reader, Collection<String> users, List<Stretch> rooms) {
        if (users.isEmpty() || rooms.isEmpty()) {
            return Mono.just(List.copyOf(users));
        }
        return Flux.fromIterable(Portions.of(new ArrayList<>(users)))
                .concatMap(portion -> bound(UNSHARED, reader, rooms)
                        .bind("users", portion.toArray(String[]::new))
                        .mapValue(String.class)
                        .all()
                        .collectList())
                .collect(ArrayList::new, List::addAll);
    }

    private Mono<List<String>> users(String sql, TenantUser reader, List<Stretch> rooms) {
        return rooms.isEmpty()
                ? Mono.just(List.of())
                : bound(sql, reader, rooms).mapValue(String.class).all().collectList();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantUser reader, List<Stretch> rooms) {
        return db.sql(sql)
                .bind("tenant", reader.tenant())
                .bind("user", reader.user())
                .bind("rooms", texts(rooms, each -> each.room().value()))
                .bind("afters", longs(rooms, Stretch::after))
                .bind("uptos", longs(rooms, Stretch::upto));
    }
}
