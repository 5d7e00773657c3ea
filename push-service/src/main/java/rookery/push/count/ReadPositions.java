package rookery.push.count;

import java.util.Collection;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.Portions;

/** How far members have read. */
@Component
class ReadPositions {
    /** Stands for the room, whatever its threads. */
    static final String UNTHREADED = "";

    private static final String ADVANCE = """
            INSERT INTO push.read_position AS p (tenant, user_id, room_id, thread, pos)
            SELECT r.tenant, r.user_id, r.room_id, r.thread, max(r.pos)
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :threads::text[], :positions::bigint[])
                   AS r (tenant, room_id, user_id, thread, pos)
              JOIN LATERAL (SELECT joined_pos FROM push.member m
                             WHERE m.tenant = r.tenant AND m.room_id = r.room_id AND m.user_id = r.user_id LIMIT 1) m
                ON m.joined_pos < r.pos
             GROUP BY r.tenant, r.user_id, r.room_id, r.thread
                ON CONFLICT (tenant, user_id, room_id, thread) DO UPDATE SET pos = excluded.pos WHERE p.pos < excluded.pos
            """;

    private static final String FORGET_THREADS = """
            DELETE FROM push.read_position p
             USING unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[])
                   AS r (tenant, room_id, user_id, pos)
             WHERE p.tenant = r.tenant AND p.user_id = r.user_id AND p.room_id = r.room_id
               AND p.thread <> '' AND p.pos <= r.pos
            """;

    private static final String FORGET_PAST = """
            DELETE FROM push.member_past p
             USING unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[])
                   AS r (tenant, room_id, user_id, pos)
             WHERE p.tenant = r.tenant AND p.user_id = r.user_id AND p.room_id = r.room_id AND p.upto_pos <= r.pos
            """;

    private static final String DELETE = """
            DELETE FROM push.read_position p
             USING unnest(:tenants::int[], :rooms::text[], :users::text[]) AS r (tenant, room_id, user_id)
             WHERE p.tenant = r.tenant AND p.user_id = r.user_id AND p.room_id = r.room_id
            """;

    private static final String DELETE_OF = """
            DELETE FROM push.read_position p
             USING unnest(:tenants::int[], :users::text[]) AS u (tenant, user_id)
             WHERE p.tenant = u.tenant AND p.user_id = u.user_id
            """;

    private static final String DROP = "DELETE FROM push.read_position";

    private final DatabaseClient db;

    ReadPositions(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Somebody has read so far.
     *
     * @param thread a root, {@code main}, or {@link #UNTHREADED}
     * @param receipt whether the user said so, and did not only send something there
     */
    record Reading(RoomUser user, String thread, long pos, boolean receipt) {
        Reading at(long otherPos) {
            return new Reading(user, thread, otherPos, receipt);
        }
    }

    /** Never back; of those who are joined, and after they joined. */
    Mono<Void> advance(List<Reading> readings) {
        var whole = readings.stream()
                .filter(reading -> reading.thread.equals(UNTHREADED))
                .toList();
        return Portions.each(readings, this::advancePortion)
                .then(Portions.each(whole, portion -> forget(FORGET_THREADS, portion)))
                .then(Portions.each(whole, portion -> forget(FORGET_PAST, portion)));
    }

    private Mono<Void> advancePortion(List<Reading> readings) {
        return Columns.of(db.sql(ADVANCE), readings)
                .roomUsers(Reading::user)
                .texts("threads", Reading::thread)
                .longs("positions", Reading::pos)
                .statement()
                .then();
    }

    private Mono<Void> forget(String sql, List<Reading> readings) {
        return Columns.of(db.sql(sql), readings)
                .roomUsers(Reading::user)
                .longs("positions", Reading::pos)
                .statement()
                .then();
    }

    Mono<Void> delete(Collection<RoomUser> users) {
        return Columns.of(db.sql(DELETE), users)
                .roomUsers(user -> user)
                .statement()
                .then();
    }

    Mono<Void> deleteOf(Collection<Who> users) {
        return Columns.of(db.sql(DELETE_OF), users)
                .users(who -> who)
                .statement()
                .then();
    }

    Mono<Void> drop() {
        return db.sql(DROP).then();
    }
}
