// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.platform.sql.RequiredColumn;

/** The heroes of rooms without a name: the first five other members, or in an empty room the first five former members. */
@Component
class HeroRows {
    // a change of a profile does not move a member in the order: the beginning of the current membership counts
    private static final String HEROES = """
            SELECT k.room_id, h.user_id
              FROM unnest(:rooms::text[], :places::bigint[]) AS k (room_id, place)
             CROSS JOIN LATERAL (
                   SELECT s.user_id, max(s.valid_from) FILTER (WHERE s.begins) AS came
                     FROM (SELECT v.user_id, v.valid_from, v.valid_to, v.membership,
                                  v.membership IS DISTINCT FROM lag(v.membership)
                                      OVER (PARTITION BY v.user_id ORDER BY v.valid_from) AS begins
                             FROM room.member_history v
                            WHERE v.tenant = :tenant AND v.room_id = k.room_id AND v.user_id <> :user
                              AND v.valid_from <= k.place) s
                    GROUP BY s.user_id
                   HAVING bool_or(s.valid_to > k.place AND s.membership = ANY (:memberships::text[]))
                    ORDER BY came LIMIT 5) h
             ORDER BY k.room_id, h.came
            """;

    private final DatabaseClient db;

    HeroRows(DatabaseClient db) {
        this.db = db;
    }

    /** In the order in which their memberships began; rooms without heroes are absent. */
    Mono<Map<RoomId, List<String>>> of(SyncRequest request, List<CandidateRoom> rooms) {
        return of(request, rooms, List.of("join", "invite")).flatMap(heroes -> {
            var deserted = rooms.stream()
                    .filter(room -> !heroes.containsKey(room.room()))
                    .toList();
            return of(request, deserted, List.of("leave", "ban"))
                    .doOnNext(heroes::putAll)
                    .thenReturn(heroes);
        });
    }

    private Mono<Map<RoomId, List<String>>> of(
            SyncRequest request, List<CandidateRoom> rooms, List<String> memberships) {
        if (rooms.isEmpty()) {
            return Mono.fromSupplier(HashMap::new);
        }
        return db.sql(HEROES)
                .bind("tenant", request.tenant())
                .bind("user", request.user())
                .bind("rooms", texts(rooms, room -> room.room().value()))
                .bind("places", longs(rooms, CandidateRoom::upto))
                .bind("memberships", memberships.toArray(String[]::new))
                .map(row -> Map.entry(
                        RequiredColumn.of(row, "room_id", RoomId.class),
                        RequiredColumn.of(row, "user_id", String.class)))
                .all()
                .collect(SectionRows.byRoom());
    }
}
