// SPDX-License-Identifier: Apache-2.0
package rookery.auth.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import rookery.auth.lease.GatewayLeases.OpenLease;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;

/**
 * Tells each gateway with a lease that a user's sessions have changed (decision 0028). Completes when no gateway uses an older
 * answer: each has confirmed, or its lease was broken and has ended.
 */
@Component
public class GatewayNotices {
    private static final Logger log = LoggerFactory.getLogger(GatewayNotices.class);
    private static final String PATH = "/internal/sessions/changed";
    private static final String GATEWAY = ServiceName.GATEWAY.title();

    /** A gateway that has not confirmed within this time loses its lease. */
    private static final Duration CONFIRMATION = Duration.ofSeconds(1);
    /** A gateway counts three seconds from before its last renewal, which was before the lease was broken. */
    private static final Duration LEASE_END = Duration.ofMillis(3300);

    private static final Retry UNTIL_DONE = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(200));

    private final GatewayLeases leases;
    private final ServiceClient gateways;

    GatewayNotices(GatewayLeases leases, ServiceClient services) {
        this.leases = leases;
        this.gateways = services.waiting(CONFIRMATION.plus(LEASE_END));
    }

    /** For a committed change of the user's sessions or permissions. */
    public Mono<Void> tell(TenantId tenant, UserId user) {
        return Mono.defer(leases::open)
                .retryWhen(UNTIL_DONE)
                .flatMapMany(Flux::fromIterable)
                .flatMap(lease -> tell(lease, tenant, user), Integer.MAX_VALUE)
                .then();
    }

    /** Whether the gateway of a new lease confirms at this address. */
    Mono<Boolean> isReached(OpenLease lease) {
        return confirmation(lease, null, null).timeout(CONFIRMATION, Mono.just(false));
    }

    private Mono<Void> tell(OpenLease lease, TenantId tenant, UserId user) {
        var confirmation = confirmation(lease, tenant, user).cache();
        return confirmation
                .timeout(CONFIRMATION, Mono.just(false))
                .flatMap(confirmed -> confirmed ? Mono.empty() : waitedFor(lease, confirmation));
    }

    private Mono<Boolean> confirmation(OpenLease lease, @Nullable TenantId tenant, @Nullable UserId user) {
        return gateways.postTo(GATEWAY, lease.address(), PATH, new Notice(lease.id(), tenant, user), Confirmation.class)
                .map(Confirmation::confirmed)
                .onErrorReturn(false);
    }

    private Mono<Void> waitedFor(OpenLease lease, Mono<Boolean> confirmation) {
        return Mono.defer(() -> leases.breakLease(lease.id()))
                .retryWhen(UNTIL_DONE)
                .then(Mono.firstWithValue(
                        confirmation.filter(confirmed -> confirmed),
                        Mono.delay(LEASE_END).map(_ -> false)))
                .flatMap(confirmed -> confirmed ? Mono.empty() : silent(lease));
    }

    private Mono<Void> silent(OpenLease lease) {
        log.atWarn()
                .addKeyValue("address", lease.address())
                .log("a gateway did not confirm a change of sessions, the answer waited for the end of its lease");
        return leases.noteSilence(lease.id()).onErrorComplete();
    }

    /** Without a user: for a lease that is to begin. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Notice(
            @JsonProperty("lease_id") String leaseId,
            @Nullable TenantId tenant,
            @Nullable UserId user) {}

    record Confirmation(boolean confirmed) {}
}
