// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.authentication.LeaseTerm.Moment;
import rookery.gateway.authentication.LeasedSessions.Question;
import rookery.model.caller.Caller.Known;
import rookery.model.id.TenantUser;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;
import rookery.platform.instance.OwnInstanceProperties;

/**
 * The lease under which this gateway uses answers about access tokens again without a question (decision 0028). While the lease
 * lasts, auth-service ends no session before this gateway has confirmed the notice, or before the lease is over. The lease is
 * renewed every second while tokens arrive. A denied renewal means that the gateway may have missed a notice: all sessions are
 * dropped, and a lease with another ID begins.
 */
@Component
class TokenLease {
    private static final Logger log = LoggerFactory.getLogger(TokenLease.class);
    private static final String AUTH = "auth-service";
    private static final String LEASES = "/internal/gateway-leases/";
    private static final String RENEWAL_MS = "1000";
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LeaseProperties properties;
    private final Instances instances;
    private final OwnInstanceProperties own;
    private final ServiceClient services;
    private final LeaseTerm term;
    private final LeasedSessions sessions;
    /** The beginning of the IDs of all leases of this process. */
    private final String process = UUID.randomUUID() + "/";

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicReference<@Nullable OwnLease> lease = new AtomicReference<>();
    private volatile long usedAt = System.nanoTime() - UNUSED_NANOS;
    private volatile int port;
    private volatile boolean isStopped;

    TokenLease(
            LeaseProperties properties,
            Instances instances,
            OwnInstanceProperties own,
            ServiceClient services,
            Clock clock,
            MeterRegistry meters) {
        this.properties = properties;
        this.instances = instances;
        this.own = own;
        this.services = services.waiting(PATIENCE);
        this.term = new LeaseTerm(System::nanoTime, clock::millis);
        this.sessions = new LeasedSessions(
                properties.sessionsMax(), properties.bytesMax().toBytes(), System::nanoTime);
        Gauge.builder("gateway_leased_sessions", sessions, LeasedSessions::size)
                .description("sessions that this gateway keeps in memory under its lease")
                .register(meters);
        Gauge.builder("gateway_token_lease", this, self -> self.lasting() == null ? 0 : 1)
                .description("1 while this gateway has a lease for keeping sessions in memory")
                .register(meters);
    }

    /** The session of a token, or null if auth-service or Redis has to be asked. */
    @Nullable
    Known session(TokenHash token, String address) {
        usedAt = System.nanoTime();
        var current = lasting();
        return current == null ? null : sessions.get(token, current.id, address);
    }

    /** A question to auth-service that is sent just after this call, or null without a lease. */
    @Nullable
    Question question(String address) {
        var current = lasting();
        return current == null ? null : new Question(current.id, System.nanoTime(), address);
    }

    /** Keeps the answer to a question; false if the lease has changed, or the user's sessions. */
    boolean keep(Question question, TokenHash token, Known session, long lifeNanos) {
        var current = lease.get();
        return current != null
                && current.id.equals(question.lease())
                && sessions.put(question, token, session, lifeNanos);
    }

    /** Drops the user's sessions. False for a lease of another process. */
    boolean change(String leaseId, @Nullable TenantUser user) {
        if (user != null) {
            sessions.change(user);
        }
        return leaseId.startsWith(process);
    }

    @EventListener
    void started(WebServerInitializedEvent event) {
        if (event.getApplicationContext().getServerNamespace() == null) { // not the management port
            port = event.getWebServer().getPort();
        }
    }

    @Scheduled(fixedDelayString = RENEWAL_MS)
    Mono<Void> renew() {
        return Mono.defer(this::renewedIfUsed).doOnError(TokenLease::note).onErrorComplete();
    }

    private Mono<Void> renewedIfUsed() {
        if (!properties.enabled() || port == 0 || isStopped) {
            return Mono.empty();
        }
        var request = term.now();
        var current = lease.get();
        boolean isUnused = request.nanos() - usedAt > UNUSED_NANOS;
        if (current == null) {
            return isUnused ? Mono.empty() : begun(request);
        }
        return isUnused ? ended(current) : renewed(current, request);
    }

    private Mono<Void> begun(Moment request) {
        if (isStopped) {
            return Mono.empty();
        }
        String id = process + numbers.incrementAndGet();
        return post("begin", new BeginRequest(id, address(), port))
                .doOnNext(answer -> {
                    if (answer.granted) {
                        lease.set(new OwnLease(id, request));
                    }
                })
                .then();
    }

    private Mono<Void> renewed(OwnLease current, Moment request) {
        return post("renew", new LeaseRequest(current.id)).flatMap(answer -> {
            if (answer.granted) {
                lease.compareAndSet(
                        current, new OwnLease(current.id, request)); // not after its end, when the gateway stops
                return Mono.empty();
            }
            log.atWarn().log("the lease for sessions in memory has ended, another one begins");
            drop();
            return begun(term.now());
        });
    }

    private Mono<Void> ended(OwnLease current) {
        drop();
        return post("end", new LeaseRequest(current.id)).then();
    }

    private void drop() {
        lease.set(null);
        sessions.clear();
    }

    private @Nullable OwnLease lasting() {
        var current = lease.get();
        return current != null && term.lastsFrom(current.requestedAt) ? current : null;
    }

    /** Other processes find this gateway by its name; without a name auth-service takes the address of the connection. */
    private @Nullable String address() {
        if (properties.address() != null || own.name().isEmpty()) {
            return properties.address();
        }
        return instances.of(own.service()).stream()
                .filter(instance -> instance.name().equals(own.name()))
                .map(Instance::address)
                .findFirst()
                .orElse(null);
    }

    private Mono<LeaseAnswer> post(String deed, Object request) {
        return services.post(AUTH, process, LEASES + deed, request, LeaseAnswer.class);
    }

    private static void note(Throwable failure) {
        log.atDebug().addKeyValue("cause", failure.toString()).log("no answer about the lease for sessions in memory");
    }

    /** A stopping gateway answers its last requests without a lease, so that no change of sessions waits for the end of the lease. */
    @EventListener(ContextClosedEvent.class)
    Mono<Void> stopped() {
        isStopped = true;
        var current = lease.get();
        return current == null ? Mono.empty() : ended(current).onErrorComplete();
    }

    /** @param requestedAt the time just before the request for the lease or for its last renewal */
    private record OwnLease(String id, Moment requestedAt) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record BeginRequest(
            @JsonProperty("lease_id") String leaseId,
            @Nullable String address,
            int port) {}

    record LeaseRequest(@JsonProperty("lease_id") String leaseId) {}

    record LeaseAnswer(boolean granted) {}
}
