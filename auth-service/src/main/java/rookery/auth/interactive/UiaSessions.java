package rookery.auth.interactive;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.UiaSession.Binding;
import rookery.auth.interactive.UiaSession.Consumed;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.StrictJson;
import rookery.platform.sql.RequiredColumn;

/** The authentications in progress; in PostgreSQL, so that any instance goes on with them, and after a restart too. */
@Component
class UiaSessions {
    private static final String INSERT = """
            INSERT INTO auth.uia_session (tenant, session_hash, operation, user_id, device_id,
                                          parameters, created_at, used_at)
            VALUES (:tenant, :hash, :operation, :user, :device, :parameters, :now, :now)
            """;

    private static final String FIND = """
            SELECT operation, user_id, device_id, parameters, completed, failed, created_at, used_at,
                   consumed_at, result_user, result_device
              FROM auth.uia_session
             WHERE tenant = :tenant AND session_hash = :hash
            """;

    private static final String COMPLETE = """
            UPDATE auth.uia_session
               SET completed = array_append(array_remove(completed, :stage), :stage),
                   parameters = :parameters, used_at = :now
             WHERE tenant = :tenant AND session_hash = :hash
            """;

    private static final String FAIL = """
            UPDATE auth.uia_session
               SET failed = array_append(failed, :stage), used_at = :now
             WHERE tenant = :tenant AND session_hash = :hash
            """;

    private static final String TOUCH = """
            UPDATE auth.uia_session
               SET parameters = :parameters, used_at = :now
             WHERE tenant = :tenant AND session_hash = :hash
            """;

    private static final String CONSUME = """
            UPDATE auth.uia_session
               SET consumed_at = :now, result_user = :user, result_device = :device
             WHERE tenant = :tenant AND session_hash = :hash AND consumed_at IS NULL
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.uia_session WHERE used_at < :unused OR created_at < :old
            """;

    private final DatabaseClient db;
    private final ParameterSeal seal;
    private final InteractiveProperties properties;
    private final Clock clock;

    UiaSessions(DatabaseClient db, ParameterSeal seal, InteractiveProperties properties, Clock clock) {
        this.db = db;
        this.seal = seal;
        this.properties = properties;
        this.clock = clock;
    }

    Mono<Void> insert(UiaSession session) {
        var binding = session.binding();
        return of(INSERT, session.tenant(), session.id())
                .bind("operation", binding.operation().text)
                .bind(
                        "user",
                        text(binding.user() == null ? null : binding.user().value()))
                .bind(
                        "device",
                        text(binding.device() == null ? null : binding.device().value()))
                .bind("parameters", sealed(session))
                .bind("now", session.createdAt())
                .then();
    }

    /** Empty for one that is not known; a dead one is found until it is deleted. */
    Mono<UiaSession> find(TenantId tenant, String id) {
        return of(FIND, tenant, id).map(row -> session(tenant, id, row)).one();
    }

    /** Keeps the stage and the session's parameters. */
    Mono<Void> complete(UiaSession session, String stage) {
        return of(COMPLETE, session.tenant(), session.id())
                .bind("stage", stage)
                .bind("parameters", sealed(session))
                .bind("now", clock.instant())
                .then();
    }

    Mono<Void> fail(UiaSession session, String stage) {
        return of(FAIL, session.tenant(), session.id())
                .bind("stage", stage)
                .bind("now", clock.instant())
                .then();
    }

    /** Keeps the session's parameters. */
    Mono<Void> touch(UiaSession session) {
        return of(TOUCH, session.tenant(), session.id())
                .bind("parameters", sealed(session))
                .bind("now", clock.instant())
                .then();
    }

    /** In the transaction of the operation: whether it may run. Who comes at the same time waits, and is told no. */
    Mono<Boolean> consume(TenantId tenant, String id, UserId user, @Nullable DeviceId device) {
        return of(CONSUME, tenant, id)
                .bind("user", user.value())
                .bind("device", text(device == null ? null : device.value()))
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        var now = clock.instant();
        return db.sql(DELETE_OLD)
                .bind("unused", now.minus(properties.idleMax()))
                .bind("old", now.minus(properties.ageMax()))
                .then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, String id) {
        return db.sql(sql).bind("tenant", tenant.value()).bind("hash", ParameterSeal.hash(id));
    }

    private byte[] sealed(UiaSession session) {
        return seal.seal(session.parameters().toString(), session.id());
    }

    private UiaSession session(TenantId tenant, String id, Readable row) {
        return new UiaSession(
                tenant,
                id,
                binding(row),
                StrictJson.object(seal.open(RequiredColumn.of(row, "parameters", byte[].class), id)),
                Set.of(RequiredColumn.of(row, "completed", String[].class)),
                List.of(RequiredColumn.of(row, "failed", String[].class)),
                RequiredColumn.of(row, "created_at", Instant.class),
                RequiredColumn.of(row, "used_at", Instant.class),
                consumed(row));
    }

    private static Binding binding(Readable row) {
        String text = RequiredColumn.of(row, "operation", String.class);
        String user = row.get("user_id", String.class);
        String device = row.get("device_id", String.class);
        for (var operation : Operation.values()) {
            if (operation.text.equals(text)) {
                return new Binding(
                        operation,
                        user == null ? null : new UserId(user),
                        device == null ? null : new DeviceId(device));
            }
        }
        throw new IllegalStateException("no such operation: " + text);
    }

    private static @Nullable Consumed consumed(Readable row) {
        var at = row.get("consumed_at", Instant.class);
        if (at == null) {
            return null;
        }
        String device = row.get("result_device", String.class);
        return new Consumed(
                at,
                new UserId(Objects.requireNonNull(row.get("result_user", String.class))),
                device == null ? null : new DeviceId(device));
    }

    private static Object text(@Nullable String value) {
        return value == null ? Parameters.in(R2dbcType.VARCHAR) : Parameters.in(R2dbcType.VARCHAR, value);
    }
}
