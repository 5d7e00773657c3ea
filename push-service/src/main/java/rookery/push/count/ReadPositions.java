// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.RoomUser;
import rookery.push.delivery.ReadUpTo;

/** The table of read positions. */
@Component
public class ReadPositions {
    /** The thread name of a read position that covers all threads of the room. */
    public static final String UNTHREADED = "";

    /** The common table expressions of the statement, and its query. */
    static final String ADVANCE = """
            read AS MATERIALIZED (
                SELECT r.tenant, r.user_id, r.room_id, r.thread, max(r.pos) AS pos, bool_or(m.pushers) AS pushers
                  FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :threads::text[], :positions::bigint[])
                       AS r (tenant, room_id, user_id, thread, pos)
                  JOIN LATERAL (SELECT joined_pos, pushers FROM push.member m
                                 WHERE m.tenant = r.tenant AND m.room_id = r.room_id AND m.user_id = r.user_id LIMIT 1) m
                    ON m.joined_pos < r.pos
                 GROUP BY r.tenant, r.user_id, r.room_id, r.thread),
            advanced AS (
                INSERT INTO push.read_position AS p (tenant, user_id, room_id, thread, pos)
                SELECT tenant, user_id, room_id, thread, pos FROM read
                    ON CONFLICT (tenant, user_id, room_id, thread) DO UPDATE
                   SET pos = excluded.pos WHERE p.pos < excluded.pos
                RETURNING tenant, user_id, room_id, thread)
            SELECT * FROM read JOIN advanced USING (tenant, user_id, room_id, thread) WHERE pushers
            """;

    private static final String FORGET = """
            WITH r AS (
                SELECT * FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[])
                       AS r (tenant, room_id, user_id, pos)),
            threads AS (
                DELETE FROM push.read_position p USING r
                 WHERE p.tenant = r.tenant AND p.user_id = r.user_id AND p.room_id = r.room_id
                   AND p.thread <> '' AND p.pos <= r.pos)
            DELETE FROM push.member_past p USING r
             WHERE p.tenant = r.tenant AND p.user_id = r.user_id AND p.room_id = r.room_id AND p.upto_pos <= r.pos
            """;

    private final DatabaseClient db;

    ReadPositions(DatabaseClient db) {
        this.db = db;
    }

    /**
     * A user has read up to a position.
     *
     * @param thread a root, {@code main}, or {@link #UNTHREADED}
     * @param receipt true for a receipt, false for an own event
     */
    record ReadUpdate(RoomUser user, String thread, long pos, boolean receipt) {
        ReadUpdate at(long otherPos) {
            return new ReadUpdate(user, thread, otherPos, receipt);
        }
    }

    /** Deletes what a read position that covers all threads makes needless. */
    Mono<Void> forget(List<ReadUpdate> readings) {
        var whole = readings.stream()
                .filter(reading -> reading.thread.equals(UNTHREADED))
                .toList();
        return Portions.each(
                whole,
                portion -> Columns.of(db.sql(FORGET), portion)
                        .roomUsers(ReadUpdate::user)
                        .longs("positions", ReadUpdate::pos)
                        .then());
    }

    static GenericExecuteSpec bind(Columns<ReadUpdate> readings) {
        return readings.roomUsers(ReadUpdate::user)
                .texts("threads", ReadUpdate::thread)
                .longs("positions", ReadUpdate::pos)
                .statement();
    }

    static ReadUpTo readUpTo(Readable row) {
        var user = Members.roomUser(row);
        var thread = RequiredColumn.of(row, "thread", String.class);
        return new ReadUpTo(
                user.room().tenant(),
                user.user(),
                user.room().room(),
                RequiredColumn.of(row, "pos", Long.class),
                thread.equals(UNTHREADED) ? null : thread);
    }
}
