// SPDX-License-Identifier: Apache-2.0
package rookery.room.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.EventRows;
import rookery.room.table.StoredEvent;

/**
 * The table {@code room.report}. A report of a purged room is deleted with the room, a closed report after {@code keepClosedFor}.
 */
@Component
class Reports {
    /** A repeated report by the same reporter about the same subject updates the reason of the open report. */
    private static final String ADD = """
            INSERT INTO room.report (tenant, reporter, reason, created_ms, room_id, room_name, event_id, event, user_id)
            SELECT :tenant, :reporter, :reason, :now, :room, :name, :eventId, :event, :user
             WHERE (SELECT count(*) FROM (SELECT 1 FROM room.report
                     WHERE tenant = :tenant AND reporter = :reporter AND created_ms > :since LIMIT :most) r) < :most
                ON CONFLICT (tenant, reporter, room_id, event_id, user_id) WHERE closed_ms IS NULL
                DO UPDATE SET reason = excluded.reason
            """;

    private static final String NAME = """
            SELECT l.pos, l.body
              FROM room.current_state s
              JOIN room.event_text l ON l.tenant = s.tenant AND l.room_id = s.room_id AND l.pos = s.pos
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.type = :type AND s.state_key = ''
            """;

    private static final String COUNT = """
            SELECT count(*) FROM room.report WHERE tenant = :tenant MATCHING
            """;

    /** Lists omit long events, so that a page stays small. */
    private static final String PAGE = """
            SELECT id, reporter, reason, created_ms, room_id, room_name, event_id,
                   CASE WHEN octet_length(event) <= 8192 THEN event END AS event, user_id, closed_ms, closed_by, note
              FROM room.report
             WHERE tenant = :tenant MATCHING
             ORDER BY id ORDER LIMIT :limit
            """;

    private static final String PLACE = """
            SELECT id::text FROM room.report WHERE tenant = :tenant MATCHING ORDER BY id ORDER OFFSET :skipped LIMIT 1
            """;

    private static final String FIND = """
            SELECT id, reporter, reason, created_ms, room_id, room_name, event_id, event, user_id, closed_ms, closed_by, note
              FROM room.report
             WHERE tenant = :tenant AND id = :id
            """;

    /** Closing a closed report changes nothing. */
    private static final String CLOSE = """
            UPDATE room.report SET closed_ms = :now, closed_by = :administrator, note = :note
             WHERE tenant = :tenant AND id = :id AND closed_ms IS NULL
            """;

    private static final String EXPIRE = """
            DELETE FROM room.report WHERE ctid = ANY (ARRAY(
                   SELECT ctid FROM room.report WHERE closed_ms < :before LIMIT 1000))
            """;

    private static final Duration DAY = Duration.ofDays(1);
    private static final int PAUSE_MS = 3_600_000;

    private final DatabaseClient db;
    private final ReportProperties properties;
    private final Clock clock;

    Reports(DatabaseClient db, ReportProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    /** The reported event, room or user. */
    record Subject(
            @Nullable String room,
            @Nullable String eventId,
            @Nullable String event,
            @Nullable String user) {
        static Subject event(RoomId room, StoredEvent event) {
            var meta = event.event().meta();
            return new Subject(
                    room.value(),
                    meta.eventId().value(),
                    event.event().eventJson(),
                    meta.sender().value());
        }

        static Subject room(RoomId room) {
            return new Subject(room.value(), null, null, null);
        }

        static Subject user(UserId user) {
            return new Subject(null, null, null, user.value());
        }
    }

    /**
     * Conditions on reports, and their order; null matches every report.
     *
     * @param events whether the reports are about events, and not about rooms and users
     * @param event only reports about this event
     * @param oldestFirst null for the newest first
     */
    record ReportFilter(
            TenantId tenant,
            @Nullable Boolean closed,
            @Nullable Boolean events,
            @Nullable EventId event,
            @Nullable Boolean oldestFirst) {
        boolean isRising() {
            return Boolean.TRUE.equals(oldestFirst);
        }
    }

    /** A report for administrators (contract.md 5.2); times in ms. */
    record ReportRow(
            long id,
            @JsonProperty("reporter") UserId reporter,
            String reason,
            @JsonProperty("created_ts") long createdMillis,
            @JsonProperty("room_id") @Nullable String room,
            @JsonProperty("room_name") @Nullable String roomName,
            @JsonProperty("event_id") @Nullable String eventId,
            @JsonRawValue @Nullable String event,
            @JsonProperty("user_id") @Nullable String user,
            String state,
            @JsonProperty("closed_ts") @Nullable Long closedMillis,
            @JsonProperty("closed_by") @Nullable String closedBy,
            @Nullable String note) {
        /** The next page begins after this key. */
        String key() {
            return Long.toString(id);
        }
    }

    /** M_LIMIT_EXCEEDED beyond the reporter's number of reports in 24 hours. */
    Mono<Void> add(Caller caller, Subject subject, String reason) {
        return name(caller.tenant(), subject.room)
                .map(Reports::orNull)
                .defaultIfEmpty(orNull(null))
                .flatMap(name -> insert(caller, subject, reason, name))
                .filter(rows -> rows > 0)
                .switchIfEmpty(Mono.error(() -> new ApiException(
                                ErrorCode.M_LIMIT_EXCEEDED,
                                "you have sent too many reports within a day, try again later")
                        .with("retry_after_ms", PAUSE_MS)
                        .withRetryAfter(PAUSE_MS / 1000)))
                .then();
    }

    private Mono<Long> insert(Caller caller, Subject subject, String reason, Parameter name) {
        long now = clock.millis();
        return db.sql(ADD)
                .bind("tenant", caller.tenant())
                .bind("reporter", caller.user())
                .bind("reason", text(reason))
                .bind("now", now)
                .bind("since", now - DAY.toMillis())
                .bind("most", properties.ofUserADay())
                .bind("room", orNull(subject.room))
                .bind("name", name)
                .bind("eventId", orNull(subject.eventId))
                .bind("event", orNull(subject.event))
                .bind("user", orNull(subject.user))
                .fetch()
                .rowsUpdated();
    }

    private Mono<String> name(TenantId tenant, @Nullable String room) {
        if (room == null) {
            return Mono.empty();
        }
        return db.sql(NAME)
                .bind("tenant", tenant)
                .bind("room", room)
                .bind("type", EventTypes.NAME)
                .map(EventRows::event)
                .one()
                .map(event -> text(event.content().path("name").asString("")));
    }

    Mono<Long> count(ReportFilter filter) {
        return bound(COUNT, "", filter).mapValue(Long.class).one();
    }

    /** The key of the last of that many reports, at least one; empty if there are fewer. */
    Mono<String> place(ReportFilter filter, int skipped) {
        return bound(PLACE, "", filter)
                .bind("skipped", skipped - 1)
                .mapValue(String.class)
                .one();
    }

    /** In the order of the filter. M_INVALID_PARAM for a malformed key. */
    Mono<List<ReportRow>> after(ReportFilter filter, String key, int limit) {
        var page = key.isEmpty()
                ? bound(PAGE, "", filter)
                : bound(PAGE, filter.isRising() ? " AND id > :after" : " AND id < :after", filter)
                        .bind("after", id(key, ErrorCode.M_INVALID_PARAM));
        return page.bind("limit", limit).map(Reports::row).all().collectList();
    }

    /** M_NOT_FOUND for an unknown report. */
    Mono<ReportRow> find(TenantId tenant, String id) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("id", id(id, ErrorCode.M_NOT_FOUND))
                .map(Reports::row)
                .one()
                .switchIfEmpty(Mono.error(() -> noSuch(ErrorCode.M_NOT_FOUND)));
    }

    /** Closes a report; the first closing stays. M_NOT_FOUND for an unknown report. */
    Mono<ReportRow> close(TenantId tenant, String id, UserId administrator, @Nullable String note) {
        return db.sql(CLOSE)
                .bind("tenant", tenant)
                .bind("id", id(id, ErrorCode.M_NOT_FOUND))
                .bind("now", clock.millis())
                .bind("administrator", administrator)
                .bind("note", orNull(note == null ? null : text(note)))
                .fetch()
                .rowsUpdated()
                .then(find(tenant, id));
    }

    /** Deletes a portion of expired reports; returns the number. */
    Mono<Long> expire() {
        return db.sql(EXPIRE)
                .bind(
                        "before",
                        clock.instant().minus(properties.keepClosedFor()).toEpochMilli())
                .fetch()
                .rowsUpdated();
    }

    private GenericExecuteSpec bound(String sql, String more, ReportFilter filter) {
        var matching = more
                + isNull("closed_ms", filter.closed)
                + isNull("event_id", filter.events)
                + (filter.event == null ? "" : " AND event_id = :event");
        var order = filter.isRising() ? "id ASC" : "id DESC";
        var query = db.sql(sql.replace("MATCHING", matching).replace("id ORDER", order))
                .bind("tenant", filter.tenant);
        return filter.event == null ? query : query.bind("event", filter.event);
    }

    private static String isNull(String column, @Nullable Boolean isSet) {
        return isSet == null ? "" : " AND " + column + (isSet ? " IS NOT NULL" : " IS NULL");
    }

    private static long id(String text, ErrorCode otherwise) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw noSuch(otherwise);
        }
    }

    private static ApiException noSuch(ErrorCode code) {
        return new ApiException(code, "there is no such report");
    }

    /** PostgreSQL stores no U+0000 in text. */
    private static String text(String text) {
        return text.replace('\0', '\uFFFD');
    }

    private static Parameter orNull(@Nullable String text) {
        return Parameters.in(R2dbcType.VARCHAR, text);
    }

    private static ReportRow row(Readable row) {
        var closed = row.get("closed_ms", Long.class);
        return new ReportRow(
                RequiredColumn.of(row, "id", Long.class),
                RequiredColumn.of(row, "reporter", UserId.class),
                RequiredColumn.of(row, "reason", String.class),
                RequiredColumn.of(row, "created_ms", Long.class),
                row.get("room_id", String.class),
                row.get("room_name", String.class),
                row.get("event_id", String.class),
                row.get("event", String.class),
                row.get("user_id", String.class),
                closed == null ? "open" : "closed",
                closed,
                row.get("closed_by", String.class),
                row.get("note", String.class));
    }
}
