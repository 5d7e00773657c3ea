// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.StageProof;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.interactive.UiaSession.Binding;
import rookery.auth.interactive.UiaSession.Consumption;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.StrictJson;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;

/** The table of authentication sessions. In PostgreSQL, so that any instance can continue a session, also after a restart. */
@Component
class UiaSessions {
    private static final String INSERT = """
            INSERT INTO auth.uia_session (tenant, session_hash, operation, user_id, device_id,
                                          parameters, created_at, used_at)
            VALUES (:tenant, :hash, :operation, :user, :device, :parameters, :now, :now)
            """;

    private static final String FIND = """
            SELECT operation, user_id, device_id, parameters, proofs, failed, created_at, used_at,
                   consumed_at, result_user, result_device
              FROM auth.uia_session
             WHERE tenant = :tenant AND session_hash = :hash
            """;

    private static final String COMPLETE = """
            UPDATE auth.uia_session
               SET completed = array_append(completed, :stage), proofs = array_append(proofs, :proof),
                   parameters = :parameters, used_at = :now
             WHERE tenant = :tenant AND session_hash = :hash
               AND consumed_at IS NULL AND NOT :stage = ANY(completed)
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

    private static final String DELETE_OPEN = """
            DELETE FROM auth.uia_session WHERE tenant = :tenant AND user_id = :user AND consumed_at IS NULL
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.uia_session WHERE used_at < :unused OR created_at < :old
            """;

    private static final String COUNT_OPEN = """
            SELECT count(*) FROM auth.uia_session WHERE used_at >= :unused AND consumed_at IS NULL
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;
    private final ParameterSeal seal;
    private final InteractiveProperties properties;
    private final Clock clock;
    private final AtomicLong open = new AtomicLong();

    UiaSessions(
            DatabaseClient db,
            ParameterSeal seal,
            InteractiveProperties properties,
            Clock clock,
            MeterRegistry meters) {
        Gauge.builder("uia_sessions", open, AtomicLong::get)
                .description("open authentication sessions of all instances, counted periodically")
                .register(meters);
        this.db = db;
        this.seal = seal;
        this.properties = properties;
        this.clock = clock;
    }

    Mono<Void> insert(UiaSession session) {
        var binding = session.binding();
        return of(INSERT, session.tenant(), session.id())
                .bind("operation", binding.operation())
                .bind("user", nullable(binding.user(), UserId.class))
                .bind("device", nullable(binding.device(), DeviceId.class))
                .bind("parameters", sealed(session))
                .bind("now", session.createdAt())
                .then();
    }

    /** Empty for an unknown session; an expired one is found until its row is deleted. */
    Mono<UiaSession> find(TenantId tenant, String id) {
        return of(FIND, tenant, id).map(row -> session(tenant, id, row)).one();
    }

    /** Adds the stage's proof once and stores the session's parameters. Returns the updated session. */
    Mono<UiaSession> complete(UiaSession session, StageProof stageProof) {
        return of(COMPLETE, session.tenant(), session.id())
                .bind("stage", stageProof.stage())
                .bind("proof", sealed(stageProof, session.id()))
                .bind("parameters", sealed(session))
                .bind("now", clock.instant())
                .then()
                .then(Mono.defer(() -> find(session.tenant(), session.id())));
    }

    Mono<Void> fail(UiaSession session, String stage) {
        return of(FAIL, session.tenant(), session.id())
                .bind("stage", stage)
                .bind("now", clock.instant())
                .then();
    }

    /** Stores the session's parameters. */
    Mono<Void> touch(UiaSession session) {
        return of(TOUCH, session.tenant(), session.id())
                .bind("parameters", sealed(session))
                .bind("now", clock.instant())
                .then();
    }

    /** Called in the operation's transaction; true if the operation may run. A concurrent caller waits and gets false. */
    Mono<Boolean> consume(TenantId tenant, String id, UserId user, @Nullable DeviceId device) {
        return of(CONSUME, tenant, id)
                .bind("user", user)
                .bind("device", nullable(device, DeviceId.class))
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** For an account that is deactivated. */
    Mono<Void> deleteOpen(TenantId tenant, UserId user) {
        return db.sql(DELETE_OPEN).bind("tenant", tenant).bind("user", user).then();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("unused", clock.instant().minus(properties.idleMax()))
                .bind("old", clock.instant().minus(properties.ageMax()))
                .then());
    }

    @Scheduled(fixedDelayString = "${rookery.auth.watching-interval}")
    Mono<Void> watch() {
        return Mono.defer(() -> db.sql(COUNT_OPEN)
                        .bind("unused", clock.instant().minus(properties.idleMax()))
                        .mapValue(Long.class)
                        .one())
                .doOnNext(open::set)
                .onErrorResume(_ -> Mono.empty()) // the database is down; other checks report that
                .then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, String id) {
        return db.sql(sql).bind("tenant", tenant).bind("hash", ParameterSeal.hash(id));
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
                Stream.of(RequiredColumn.of(row, "proofs", String[].class))
                        .map(text -> stageProof(text, id))
                        .toList(),
                List.of(RequiredColumn.of(row, "failed", String[].class)),
                RequiredColumn.of(row, "created_at", Instant.class),
                RequiredColumn.of(row, "used_at", Instant.class),
                consumed(row));
    }

    private static Binding binding(Readable row) {
        return new Binding(
                RequiredColumn.of(row, "operation", String.class),
                row.get("user_id", UserId.class),
                row.get("device_id", DeviceId.class));
    }

    /** Encrypted like the parameters: a proof contains addresses or registration tokens. */
    private String sealed(StageProof stageProof, String id) {
        var threepid = stageProof.proof().threepid();
        var stored = new StoredProof(
                stageProof.stage(),
                threepid == null ? null : threepid.medium(),
                threepid == null ? null : threepid.address(),
                stageProof.proof().registrationToken());
        return Base64.getEncoder().encodeToString(seal.seal(JSON.writeValueAsString(stored), id));
    }

    private StageProof stageProof(String text, String id) {
        var stored = JSON.readValue(seal.open(Base64.getDecoder().decode(text), id), StoredProof.class);
        var threepid =
                stored.medium == null || stored.address == null ? null : new Threepid(stored.medium, stored.address);
        return new StageProof(stored.stage, new Proof(threepid, stored.token));
    }

    record StoredProof(
            String stage,
            @Nullable Medium medium,
            @Nullable String address,
            @Nullable String token) {}

    private static @Nullable Consumption consumed(Readable row) {
        var at = row.get("consumed_at", Instant.class);
        return at == null
                ? null
                : new Consumption(
                        at,
                        RequiredColumn.of(row, "result_user", UserId.class),
                        row.get("result_device", DeviceId.class));
    }

    private static Object nullable(@Nullable Object id, Class<?> type) {
        return id == null ? Parameters.in(type) : id;
    }
}
