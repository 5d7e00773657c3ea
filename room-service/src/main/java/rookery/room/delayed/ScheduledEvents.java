// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.DelayedEvents;

/**
 * The table {@code room.delayed_event}, as requests and the worker use the table. All times are the database's, so that no event is
 * sent early by an instance whose clock is ahead.
 */
@Component
class ScheduledEvents {
    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    /** Requests of one user wait for each other, so that the limits hold. */
    private static final String LOCK_USER = """
            SELECT pg_advisory_xact_lock(hashtext('room.delayed_event ' || :tenant::int), hashtext(:user))
            """;

    private static final String USAGE = """
            SELECT count(*) AS events, coalesce(sum(octet_length(content)), 0)::bigint AS bytes,
                   coalesce(min(due_ms) - NOW, 0) AS next_in_ms
              FROM room.delayed_event
             WHERE tenant = :tenant AND user_id = :user AND finished_ms IS NULL
            """.replace("NOW", NOW);

    private static final String INSERT = """
            INSERT INTO room.delayed_event
                   (tenant, delay_id, user_id, device_id, room_id, shard, type, state_key, content, delay_ms, due_ms)
            VALUES (:tenant, :id, :user, :device, :room, :shard, :type, :stateKey, :content, :delay, NOW + :delay)
            """.replace("NOW", NOW);

    /** The finished events of a user beyond a number, oldest first. */
    private static final String TRIM = """
            DELETE FROM room.delayed_event WHERE tenant = :tenant AND delay_id IN (
                   SELECT delay_id FROM room.delayed_event
                    WHERE tenant = :tenant AND user_id = :user AND finished_ms IS NOT NULL
                    ORDER BY finished_ms DESC OFFSET :most)
            """;

    private static final String FIND = """
            SELECT * FROM room.delayed_event WHERE tenant = :tenant AND delay_id = :id
            """;

    private static final String RESTART = """
            UPDATE room.delayed_event SET due_ms = NOW + delay_ms
             WHERE tenant = :tenant AND delay_id = :id AND finished_ms IS NULL
            """.replace("NOW", NOW);

    private static final String CANCEL = """
            UPDATE room.delayed_event SET finished_ms = NOW
             WHERE tenant = :tenant AND delay_id = :id AND finished_ms IS NULL
            """.replace("NOW", NOW);

    private static final String REFUSE = """
            UPDATE room.delayed_event SET finished_ms = NOW, error = :error
             WHERE tenant = :tenant AND delay_id = :id AND finished_ms IS NULL AND due_ms = :due
            """.replace("NOW", NOW);

    private static final String DUE = """
            SELECT * FROM room.delayed_event
             WHERE finished_ms IS NULL AND due_ms <= NOW AND shard = ANY (:shards::int[]) AND room_id <> ALL (:without::text[])
             ORDER BY due_ms, number LIMIT :limit
            """.replace("NOW", NOW);

    private static final String PAGE = """
            SELECT * FROM room.delayed_event
             WHERE tenant = :tenant AND user_id = :user AND (due_ms, number) > (:due, :number)
               AND (:status = '' OR (finished_ms IS NULL) = (:status = 'scheduled'))
             ORDER BY due_ms, number LIMIT :limit
            """;

    private static final String EXPIRE = """
            DELETE FROM room.delayed_event WHERE ctid = ANY (ARRAY(
                   SELECT ctid FROM room.delayed_event WHERE finished_ms < NOW - :age LIMIT 1000))
            """.replace("NOW", NOW);

    private final DatabaseClient db;

    ScheduledEvents(DatabaseClient db) {
        this.db = db;
    }

    /** @param nextInMillis the time until the next of the events is due */
    record Usage(long events, long bytes, long nextInMillis) {}

    /** Locks the user until the end of the transaction. */
    Mono<Usage> usage(TenantUser user) {
        return bound(LOCK_USER, user)
                .then()
                .then(Mono.defer(() -> bound(USAGE, user)
                        .map(row -> new Usage(
                                RequiredColumn.of(row, "events", Long.class),
                                RequiredColumn.of(row, "bytes", Long.class),
                                RequiredColumn.of(row, "next_in_ms", Long.class)))
                        .one()));
    }

    Mono<Void> insert(ScheduleRequest request, String delayId) {
        var caller = request.caller();
        var statement = db.sql(INSERT)
                .bind("tenant", caller.tenant())
                .bind("id", delayId)
                .bind("user", caller.user())
                .bind("device", caller.device())
                .bind("room", request.room().room())
                .bind("shard", request.room().shard())
                .bind("type", request.type())
                .bind("content", request.contentText())
                .bind("delay", request.delayMillis());
        return (request.stateKey() == null
                        ? statement.bindNull("stateKey", String.class)
                        : statement.bind("stateKey", request.stateKey()))
                .then();
    }

    Mono<Void> trim(TenantUser user, int most) {
        return bound(TRIM, user).bind("most", most).then();
    }

    /** Empty for an unknown event. */
    Mono<ScheduledEvent> find(DelayedEvents.Key key) {
        return bound(FIND, key).map(ScheduledEvent::of).one();
    }

    /** Whether the event was still scheduled. */
    Mono<Boolean> restart(DelayedEvents.Key key) {
        return changed(bound(RESTART, key));
    }

    /** Whether the event was still scheduled. */
    Mono<Boolean> cancel(DelayedEvents.Key key) {
        return changed(bound(CANCEL, key));
    }

    /** Finishes an event that was refused before the lock, unless the event was restarted meanwhile. */
    Mono<Void> refuse(ScheduledEvent event, DelayedEvents.Finish refused) {
        return bound(REFUSE, event.key())
                .bind("due", event.dueMillis())
                .bind("error", String.valueOf(refused.error()))
                .then();
    }

    /** The events of these shards that are due, in the order in which they are sent, without those of these rooms. */
    Mono<List<ScheduledEvent>> due(Set<Integer> shards, Collection<RoomId> without, int limit) {
        return db.sql(DUE)
                .bind("shards", shards.toArray(Integer[]::new))
                .bind("without", without.stream().map(RoomId::value).toArray(String[]::new))
                .bind("limit", limit)
                .map(ScheduledEvent::of)
                .all()
                .collectList();
    }

    /** A place between two events of a list. */
    record Place(long dueMillis, long number) {
        static final Place START = new Place(Long.MIN_VALUE, 0);
    }

    /** @param status {@code scheduled} or {@code finalised}, null for both */
    Mono<List<ScheduledEvent>> page(TenantUser user, @Nullable String status, Place after, int limit) {
        return bound(PAGE, user)
                .bind("due", after.dueMillis)
                .bind("number", after.number)
                .bind("status", status == null ? "" : status)
                .bind("limit", limit)
                .map(ScheduledEvent::of)
                .all()
                .collectList();
    }

    /** The number of deleted events, all of them finished before. */
    Mono<Long> expire(Duration age) {
        return db.sql(EXPIRE).bind("age", age.toMillis()).fetch().rowsUpdated();
    }

    private static Mono<Boolean> changed(DatabaseClient.GenericExecuteSpec statement) {
        return statement.fetch().rowsUpdated().map(rows -> rows > 0);
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantUser user) {
        return db.sql(sql).bind("tenant", user.tenant()).bind("user", user.user());
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, DelayedEvents.Key key) {
        return db.sql(sql).bind("tenant", key.tenant()).bind("id", key.delayId());
    }
}
