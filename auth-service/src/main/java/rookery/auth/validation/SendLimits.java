// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Addresses;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** Limits the messages to each address and of each tenant (contract.md 2.6): the server cannot be used for flooding. */
@Component
class SendLimits {
    private static final String COUNT = """
            INSERT INTO auth.sending AS s (tenant, medium, address, since, messages)
            VALUES (:tenant, :medium, :address, :now, 1)
                ON CONFLICT (tenant, medium, address) DO UPDATE
               SET since = CASE WHEN s.since > :start THEN s.since ELSE excluded.since END,
                   messages = CASE WHEN s.since > :start THEN s.messages + 1 ELSE 1 END
            RETURNING since, messages
            """;

    private static final String GIVE_BACK = """
            UPDATE auth.sending
               SET messages = messages - 1
             WHERE tenant = :tenant AND medium = :medium AND address = :address AND messages > 0
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.sending WHERE since <= :start
            """;

    private final DatabaseClient db;
    private final ThreepidProperties properties;
    private final Clock clock;

    SendLimits(DatabaseClient db, ThreepidProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    /** Counts one message, in the transaction that decides to send it; M_LIMIT_EXCEEDED above the limit. */
    Mono<Void> count(TenantId tenant, Threepid threepid) {
        var delivered = Addresses.delivered(threepid);
        return counted(tenant, delivered, properties.messagesMax(), "this address was sent too many messages")
                .then(Mono.defer(() -> counted(
                        tenant,
                        all(threepid.medium()),
                        properties.messagesOfTenantMax(threepid.medium()),
                        "this server has sent too many messages")));
    }

    private Mono<Void> counted(TenantId tenant, Threepid threepid, int most, String tooMany) {
        return of(COUNT, tenant, threepid)
                .bind("now", clock.instant())
                .bind("start", start())
                .map(SendLimits::window)
                .one()
                .flatMap(window -> window.messages <= most ? Mono.empty() : Mono.error(refusal(window, tooMany)));
    }

    /** Reverts the count of a message that could not be sent. */
    Mono<Void> giveBack(TenantId tenant, Threepid threepid) {
        return of(GIVE_BACK, tenant, Addresses.delivered(threepid))
                .then()
                .then(Mono.defer(
                        () -> of(GIVE_BACK, tenant, all(threepid.medium())).then()));
    }

    /** The counter of all addresses of a tenant, under the empty address. */
    private static Threepid all(Medium medium) {
        return new Threepid(medium, "");
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        // deferred: Spring calls the method once and subscribes to the returned Mono repeatedly
        return Mono.defer(() -> db.sql(DELETE_OLD).bind("start", start()).then());
    }

    private ApiException refusal(Window window, String tooMany) {
        var rest = Duration.between(clock.instant(), window.since.plus(properties.messagesWindow()));
        long millis = Math.max(1, rest.toMillis());
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, tooMany + ", try again later")
                .withRetryAfter((int) Math.ceilDiv(millis, 1000))
                .with("retry_after_ms", millis);
    }

    private Instant start() {
        return clock.instant().minus(properties.messagesWindow());
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, Threepid threepid) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("medium", threepid.medium().text)
                .bind("address", threepid.address());
    }

    private record Window(Instant since, int messages) {}

    private static Window window(Readable row) {
        return new Window(
                RequiredColumn.of(row, "since", Instant.class), RequiredColumn.of(row, "messages", Integer.class));
    }
}
