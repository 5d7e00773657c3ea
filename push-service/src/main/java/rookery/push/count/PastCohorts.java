// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.Portions;
import rookery.push.Columns;
import rookery.push.count.Members.Member;

/** The table of members' previous cohorts, for their unread events from that time. */
@Component
class PastCohorts {
    private static final String INSERT = """
            INSERT INTO push.member_past (tenant, room_id, user_id, cohort, from_pos, upto_pos)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :cohorts::bigint[], :froms::bigint[],
                                 :uptos::bigint[])
            """;

    /** Deletes a segment when the user has read all of its notifications. */
    private static final String DELETE_READ = """
            DELETE FROM push.member_past p
             USING unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
             WHERE p.tenant = k.tenant AND p.room_id = k.room_id AND p.user_id = k.user_id
               AND NOT EXISTS (
                   SELECT 1 FROM push.noted n
                    WHERE n.tenant = p.tenant AND n.room_id = p.room_id AND n.cohort = p.cohort
                      AND n.pos > p.from_pos AND n.pos <= p.upto_pos
                      AND NOT EXISTS (
                          SELECT 1 FROM push.read_position r
                           WHERE r.tenant = p.tenant AND r.user_id = p.user_id AND r.room_id = p.room_id
                             AND r.thread IN ('', n.thread) AND r.pos >= n.pos))
            """;

    private final DatabaseClient db;

    PastCohorts(DatabaseClient db) {
        this.db = db;
    }

    /** A member in a previous cohort, and the last position of that cohort. */
    record PastMember(Member member, long upto) {}

    Mono<Void> add(List<PastMember> all) {
        return Portions.each(all, this::addPortion);
    }

    private Mono<Void> addPortion(List<PastMember> all) {
        var added = Columns.of(db.sql(INSERT), all)
                .roomUsers(past -> past.member.user())
                .longs("cohorts", past -> past.member.cohort())
                .longs("froms", past -> past.member.cohortFrom())
                .longs("uptos", PastMember::upto)
                .then();
        var deleted = Columns.of(db.sql(DELETE_READ), all)
                .roomUsers(past -> past.member.user())
                .then();
        return added.then(deleted);
    }
}
