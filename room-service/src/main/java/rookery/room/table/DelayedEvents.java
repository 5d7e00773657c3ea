// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.platform.json.CanonicalJson;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The table {@code room.delayed_event}, as appends use the table: an event is sent and its row finished in one transaction, under
 * the lock on the room's shard. {@code ScheduledEvents} schedules and changes rows.
 */
@Component
public class DelayedEvents {
    /**
     * A lock, so that no restart or cancellation is answered between the read and the commit. All locks are taken in the order of the
     * keys, so that transactions with several rows cannot deadlock.
     */
    private static final String LOCK = """
            SELECT d.tenant, d.delay_id, d.due_ms
              FROM unnest(:tenants::int[], :ids::text[]) AS k (tenant, delay_id)
              JOIN room.delayed_event d ON d.tenant = k.tenant AND d.delay_id = k.delay_id
             WHERE d.finished_ms IS NULL
             ORDER BY d.tenant, d.delay_id
               FOR UPDATE OF d
            """;

    private static final String FINISH = """
            UPDATE room.delayed_event d
               SET finished_ms = :now, event_id = nullif(k.event_id, ''), error = nullif(k.error, '')
              FROM unnest(:tenants::int[], :ids::text[], :events::text[], :errors::text[])
                   AS k (tenant, delay_id, event_id, error)
             WHERE d.tenant = k.tenant AND d.delay_id = k.delay_id
            """;

    private static final String DELETE_OF_USER = """
            DELETE FROM room.delayed_event WHERE tenant = :tenant AND delay_id = ANY (ARRAY(
                   SELECT delay_id FROM room.delayed_event WHERE tenant = :tenant AND user_id = :user
                    ORDER BY delay_id FOR UPDATE))
            """;

    private final DatabaseClient db;

    DelayedEvents(DatabaseClient db) {
        this.db = db;
    }

    /** The identity of a delayed event. */
    public record Key(TenantId tenant, String delayId) {
        private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_-]{43}");

        /** Whether an event can have the id, which PostgreSQL can then compare. */
        public boolean isValid() {
            return GRAMMAR.matcher(delayId).matches();
        }
    }

    /**
     * The end of a delayed event.
     *
     * @param event the id of the sent event
     * @param error the standard error response to an event that was refused, one line of JSON
     */
    public record Finish(@Nullable String event, @Nullable String error) {
        public static Finish sent(@Nullable EventId event) {
            return new Finish(event == null ? null : event.value(), null);
        }

        public static Finish refused(ApiException refusal) {
            var response = JsonNodeFactory.instance.objectNode();
            response.put("errcode", refusal.code.name()).put("error", refusal.reason);
            return new Finish(null, CanonicalJson.write(response));
        }
    }

    /** The times at which the scheduled events among these are due; finished ones are left out. */
    public Mono<Map<Key, Long>> lock(Collection<Key> keys) {
        if (keys.isEmpty()) {
            return Mono.just(Map.of());
        }
        return bound(LOCK, keys)
                .map(row -> Map.entry(key(row), RequiredColumn.of(row, "due_ms", Long.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    public Mono<Void> finish(Map<Key, Finish> finished, long nowMillis) {
        if (finished.isEmpty()) {
            return Mono.empty();
        }
        var ends = List.copyOf(finished.values());
        return bound(FINISH, finished.keySet())
                .bind("now", nowMillis)
                .bind(
                        "events",
                        ends.stream()
                                .map(Finish::event)
                                .map(DelayedEvents::orEmpty)
                                .toArray(String[]::new))
                .bind(
                        "errors",
                        ends.stream()
                                .map(Finish::error)
                                .map(DelayedEvents::orEmpty)
                                .toArray(String[]::new))
                .then();
    }

    /** Deletes all events of a user who may not send any more. */
    public Mono<Void> delete(TenantUser user) {
        return db.sql(DELETE_OF_USER)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .then();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, Collection<Key> keys) {
        return db.sql(sql)
                .bind("tenants", keys.stream().map(key -> key.tenant.value()).toArray(Integer[]::new))
                .bind("ids", keys.stream().map(Key::delayId).toArray(String[]::new));
    }

    private static Key key(Readable row) {
        return new Key(
                RequiredColumn.of(row, "tenant", TenantId.class), RequiredColumn.of(row, "delay_id", String.class));
    }
}
