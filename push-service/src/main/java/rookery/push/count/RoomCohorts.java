// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.push.Columns;

/** The table of cohorts by room, by which an event is judged without reading the room's members. */
@Component
class RoomCohorts {
    private static final String ADD = """
            INSERT INTO push.room_cohort AS c (tenant, room_id, cohort, members)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[], :members::int[])
                ON CONFLICT (tenant, room_id, cohort) DO UPDATE SET members = c.members + excluded.members
            """;

    private static final String DELETE_EMPTY = """
            DELETE FROM push.room_cohort c
             USING unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[]) AS k (tenant, room_id, cohort)
             WHERE c.tenant = k.tenant AND c.room_id = k.room_id AND c.cohort = k.cohort AND c.members <= 0
            """;

    private final DatabaseClient db;

    RoomCohorts(DatabaseClient db) {
        this.db = db;
    }

    record RoomCohort(TenantRoom room, long cohort) {}

    /** The change of the number of members by cohort and room; negative if members left. */
    static final class Moves {
        private final Map<RoomCohort, Integer> moves = new HashMap<>();

        Moves came(Collection<Members.Member> members) {
            members.forEach(member -> moves.merge(member.cohortKey(), 1, Integer::sum));
            return this;
        }

        Moves went(Collection<Members.Member> members) {
            members.forEach(member -> moves.merge(member.cohortKey(), -1, Integer::sum));
            return this;
        }
    }

    private record Move(RoomCohort roomCohort, int members) {}

    Mono<Void> move(Moves moves) {
        var changed = moves.moves.entrySet().stream()
                .filter(move -> move.getValue() != 0)
                .map(move -> new Move(move.getKey(), move.getValue()))
                .toList();
        var fewer = changed.stream().filter(move -> move.members < 0).toList();
        return Portions.each(changed, this::add).then(Portions.each(fewer, this::deleteEmpty));
    }

    private Mono<Void> add(List<Move> moves) {
        return Columns.of(db.sql(ADD), moves)
                .rooms(move -> move.roomCohort.room)
                .longs("cohorts", move -> move.roomCohort.cohort)
                .ints("members", Move::members)
                .then();
    }

    private Mono<Void> deleteEmpty(List<Move> moves) {
        return Columns.of(db.sql(DELETE_EMPTY), moves)
                .rooms(move -> move.roomCohort.room)
                .longs("cohorts", move -> move.roomCohort.cohort)
                .then();
    }
}
