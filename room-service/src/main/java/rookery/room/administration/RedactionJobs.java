// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.WorkQueue;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jobs that redact the messages of a user, with a row for each room, and the queue of the rooms that are not done. Rows are deleted
 * with their room, and a week after their end with the next job of the tenant.
 */
@Component
class RedactionJobs extends WorkQueue<RedactionJobs.RoomJob> {
    private static final Duration KEPT = Duration.ofDays(7);

    /** Events that a statement looks at, so that none reads a large room whole. */
    private static final int LOOKED_MAX = 5_000;

    private static final QueueTable TABLE = new QueueTable(
            "room.redaction_job", "", "true", "UPDATE room.redaction_job SET due_ms = NULL, ended_ms = :now");

    private static final String FORGET = """
            DELETE FROM room.redaction_job WHERE tenant = :tenant AND ended_ms < :before
            """;

    private static final String START = """
            INSERT INTO room.redaction_job (tenant, id, room_id, user_id, redacted_by, reason, before_pos, events_left,
                                            created_ms, ended_ms, due_ms)
            SELECT :tenant, :id, room_id, :user, :by, REASON, 9223372036854775807, :most, :now, CAST(NULL AS bigint), :now
              FROM room.room_of_user
             WHERE tenant = :tenant AND user_id = :user AND (:all OR room_id = ANY (:rooms::text[]))
             UNION ALL
            SELECT :tenant, :id, '', :user, :by, REASON, 9223372036854775807, 0, :now, :now, CAST(NULL AS bigint)
            """;

    private static final String STATE = """
            SELECT due_ms IS NOT NULL AS active, failures FROM room.redaction_job WHERE tenant = :tenant AND id = :id
            """;

    /** The messages of the user among the next events of the room, and in a row without an id the position reached. */
    private static final String NEXT = """
            WITH looked AS MATERIALIZED (
                 SELECT pos, event_id, sender, state_key, type FROM room.unredacted_event
                  WHERE tenant = :tenant AND room_id = :room AND pos < :before ORDER BY pos DESC LIMIT :looked),
                 messages AS (
                 SELECT pos, event_id FROM looked
                  WHERE sender = :user AND state_key IS NULL AND type <> 'm.room.redaction' ORDER BY pos DESC LIMIT :most)
            SELECT pos, event_id FROM messages
             UNION ALL
            SELECT CASE WHEN (SELECT count(*) FROM messages) = :most THEN (SELECT min(pos) FROM messages) ELSE min(pos) END,
                   NULL
              FROM looked
            """;

    private static final String ADVANCE = """
            UPDATE room.redaction_job
               SET before_pos = :before, events_left = events_left - :redacted, failures = :failures, due_ms = :now
             WHERE tenant = :tenant AND id = :id AND room_id = :room_id AND before_pos = :expected
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;
    private final Clock clock;

    RedactionJobs(DatabaseClient db, Clock clock) {
        super(
                db,
                clock,
                TABLE,
                Map.of(
                        "tenant", job -> job.room.tenant().value(),
                        "id", job -> job.id,
                        "room_id", job -> job.room.room().value()),
                RedactionJobs::job);
        this.db = db;
        this.clock = clock;
    }

    /**
     * The rest of a job in a room.
     *
     * @param failures the errors so far, by event id
     */
    record RoomJob(
            String id,
            TenantRoom room,
            UserId user,
            UserId by,
            @Nullable String reason,
            long before,
            int left,
            Map<String, String> failures) {}

    /** @param rooms empty for all rooms of the user */
    record NewJob(
            TenantId tenant,
            UserId user,
            UserId by,
            List<RoomId> rooms,
            @Nullable String reason,
            int limit) {}

    /** @param isActive whether a room is not done */
    record JobState(boolean isActive, Map<String, String> failures) {}

    /** The next messages of a room; {@code reached} is null at the beginning of the room. */
    record Slice(List<EventId> messages, @Nullable Long reached) {}

    Mono<Void> start(String id, NewJob job) {
        var start = db.sql(START.replace("REASON", job.reason == null ? "CAST(NULL AS text)" : ":reason"))
                .bind("tenant", job.tenant)
                .bind("id", id)
                .bind("user", job.user)
                .bind("by", job.by)
                .bind("most", job.limit)
                .bind("now", clock.millis())
                .bind("all", job.rooms.isEmpty())
                .bind("rooms", job.rooms.stream().map(RoomId::value).toArray(String[]::new));
        return db.sql(FORGET)
                .bind("tenant", job.tenant)
                .bind("before", clock.instant().minus(KEPT).toEpochMilli())
                .then()
                .then((job.reason == null ? start : start.bind("reason", job.reason)).then())
                .doOnSuccess(_ -> due.note());
    }

    /** Empty for an unknown job. */
    Mono<JobState> state(TenantId tenant, String id) {
        return db.sql(STATE)
                .bind("tenant", tenant)
                .bind("id", id)
                .map(row -> new JobState(RequiredColumn.of(row, "active", Boolean.class), failures(row)))
                .all()
                .reduce(RedactionJobs::both);
    }

    private static JobState both(JobState one, JobState other) {
        var failures = new HashMap<>(one.failures);
        failures.putAll(other.failures);
        return new JobState(one.isActive || other.isActive, failures);
    }

    Mono<Slice> next(RoomJob job, int most) {
        var messages = new ArrayList<EventId>();
        var reached = new ArrayList<Long>();
        return db.sql(NEXT)
                .bind("tenant", job.room.tenant())
                .bind("room", job.room.room())
                .bind("before", job.before)
                .bind("user", job.user)
                .bind("looked", LOOKED_MAX)
                .bind("most", Math.min(most, job.left))
                .map(row -> {
                    var id = row.get("event_id", String.class);
                    var pos = row.get("pos", Long.class);
                    return id == null ? pos != null && reached.add(pos) : messages.add(new EventId(id));
                })
                .all()
                .then(Mono.fromSupplier(() -> new Slice(messages, reached.isEmpty() ? null : reached.getFirst())));
    }

    /** Stores the position behind a slice, unless another instance has done so; the room is due again at once. */
    Mono<Void> advance(RoomJob job, long reached, int redacted, Map<String, String> failures) {
        return bound(ADVANCE, job)
                .bind("before", reached)
                .bind("expected", job.before)
                .bind("redacted", redacted)
                .bind("failures", JSON.writeValueAsString(failures))
                .bind("now", clock.millis())
                .then()
                .doOnSuccess(_ -> due.note());
    }

    private static RoomJob job(Readable row) {
        return new RoomJob(
                RequiredColumn.of(row, "id", String.class),
                new TenantRoom(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "room_id", RoomId.class)),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "redacted_by", UserId.class),
                row.get("reason", String.class),
                RequiredColumn.of(row, "before_pos", Long.class),
                RequiredColumn.of(row, "events_left", Integer.class),
                failures(row));
    }

    private static Map<String, String> failures(Readable row) {
        var failures = new HashMap<String, String>();
        JSON.readTree(RequiredColumn.of(row, "failures", String.class))
                .properties()
                .forEach(failure ->
                        failures.put(failure.getKey(), failure.getValue().asString()));
        return failures;
    }
}
