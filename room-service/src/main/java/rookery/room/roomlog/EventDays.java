// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import rookery.room.table.WorkQueue;

/**
 * The events of each tenant by day of UTC, and the limit of a day (contract.md 20). Each instance counts its committed batches in
 * memory and adds the counts to the table every second, so that no append writes another row. Instances exceed a limit by the
 * events of about two seconds; a crash loses the counts of the last second, not events.
 */
@Component
class EventDays {
    private static final Logger log = LoggerFactory.getLogger(EventDays.class);

    private static final String ADD = """
            INSERT INTO room.event_day AS d (tenant, day, events)
            SELECT * FROM unnest(:tenants::int[], :days::date[], :counts::bigint[])
                ON CONFLICT (tenant, day) DO UPDATE SET events = d.events + excluded.events
            """;

    private static final String READ = """
            SELECT tenant, events FROM room.event_day WHERE day = :day AND tenant = ANY (:tenants)
            """;

    private static final String OF_TENANT = """
            SELECT day, events FROM room.event_day WHERE tenant = :tenant AND day > :after
            """;

    private static final String DELETE = """
            DELETE FROM room.event_day WHERE day < :day
            """;

    private static final int DAYS_KEPT = 400;

    private final DatabaseClient db;
    private final Tenants tenants;
    private final Clock clock;
    /** Events that are not in the table yet. */
    private final ConcurrentMap<Key, Long> pending = new ConcurrentHashMap<>();
    /** Today's events of the tenants with a limit, as the table had them a second ago. */
    private volatile Map<Key, Long> stored = Map.of();

    EventDays(DatabaseClient db, Tenants tenants, Clock clock) {
        this.db = db;
        this.tenants = tenants;
        this.clock = clock;
    }

    private record Key(TenantId tenant, LocalDate day) {}

    /** Counts the events of a committed batch. */
    void count(Collection<Events.Row> events) {
        var day = today();
        for (var event : events) {
            pending.merge(new Key(event.room().tenant(), day), 1L, Long::sum);
        }
    }

    /** M_RESOURCE_LIMIT_EXCEEDED for a tenant that has sent its events of today. */
    void requireMore(TenantId tenant) {
        var most = tenants.setting(tenant, TenantSettings.EVENTS_A_DAY_MAX);
        if (most == null) {
            return;
        }
        var key = new Key(tenant, today());
        if (stored.getOrDefault(key, 0L) + pending.getOrDefault(key, 0L) >= most) {
            throw new ApiException(
                    ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                    "this server is for at most %d events a day (max_events_per_day): go on tomorrow, or ask its administrators"
                            .formatted(most));
        }
    }

    @Scheduled(initialDelayString = "PT1S", fixedDelayString = "PT1S")
    Mono<Void> exchange() {
        return Mono.defer(this::add)
                .then(Mono.defer(this::read))
                .onErrorResume(WorkQueue.logged(log, "events of the day are not counted, next attempt follows"));
    }

    private Mono<Void> add() {
        var counts = new HashMap<Key, Long>();
        pending.forEach(counts::put);
        if (counts.isEmpty()) {
            return Mono.empty();
        }
        var keys = List.copyOf(counts.keySet());
        return db.sql(ADD)
                .bind("tenants", keys.stream().map(key -> key.tenant.value()).toArray(Integer[]::new))
                .bind("days", keys.stream().map(Key::day).toArray(LocalDate[]::new))
                .bind("counts", keys.stream().map(counts::get).toArray(Long[]::new))
                .then()
                .doOnSuccess(_ -> counts.forEach(this::added));
    }

    private void added(Key key, long count) {
        stored = with(stored, key, count);
        pending.computeIfPresent(key, (_, all) -> all == count ? null : all - count);
    }

    private static Map<Key, Long> with(Map<Key, Long> counts, Key key, long more) {
        if (!counts.containsKey(key)) {
            return counts;
        }
        var changed = new HashMap<>(counts);
        changed.merge(key, more, Long::sum);
        return changed;
    }

    private Mono<Void> read() {
        var day = today();
        var limited = tenants.all().stream()
                .map(tenant -> tenant.id())
                .filter(tenant -> tenants.setting(tenant, TenantSettings.EVENTS_A_DAY_MAX) != null)
                .map(TenantId::value)
                .toArray(Integer[]::new);
        if (limited.length == 0) {
            stored = Map.of();
            return Mono.empty();
        }
        return db.sql(READ)
                .bind("day", day)
                .bind("tenants", limited)
                .map(row -> Map.entry(
                        new Key(RequiredColumn.of(row, "tenant", TenantId.class), day),
                        RequiredColumn.of(row, "events", Long.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .doOnNext(counts -> stored = counts)
                .then();
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT6H")
    Mono<Void> sweep() {
        return Mono.defer(() ->
                        db.sql(DELETE).bind("day", today().minusDays(DAYS_KEPT)).then())
                .onErrorResume(WorkQueue.logged(log, "old counts of events stay until the next run"));
    }

    /** The events of a tenant in each of the last days with events, today included. */
    Mono<Map<LocalDate, Long>> latest(TenantId tenant, int days) {
        return db.sql(OF_TENANT)
                .bind("tenant", tenant)
                .bind("after", today().minusDays(days))
                .map(row -> Map.entry(
                        RequiredColumn.of(row, "day", LocalDate.class), RequiredColumn.of(row, "events", Long.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }
}
