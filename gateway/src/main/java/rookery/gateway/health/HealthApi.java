// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.gateway.GatewayApplication;
import rookery.model.error.ErrorCode;

/**
 * {@code GET /health}, {@code /health/live}, {@code /health/ready}: no token, any host, subject to the rate limit
 * (contract.md 4).
 */
@RestController
class HealthApi {
    private static final String RETRY_AFTER_S = "5";

    /** From the jar's manifest; class folders have none. */
    private static final String VERSION =
            Objects.requireNonNullElse(GatewayApplication.class.getPackage().getImplementationVersion(), "0.0.0");

    private final Readiness readiness;
    private final Clock clock;
    private final Instant start;
    private final AtomicBoolean draining = new AtomicBoolean();

    HealthApi(Readiness readiness, Clock clock) {
        this.readiness = readiness;
        this.clock = clock;
        this.start = clock.instant();
    }

    @GetMapping({"/_api/client/health", "/_matrix/client/health"})
    Health health() {
        long uptime = Duration.between(start, clock.instant()).toSeconds();
        return new Health("ok", VERSION, uptime);
    }

    @GetMapping({"/_api/client/health/live", "/_matrix/client/health/live"})
    LiveAnswer live() {
        return new LiveAnswer("alive"); // this answer itself shows that the event loop works
    }

    @GetMapping({"/_api/client/health/ready", "/_matrix/client/health/ready"})
    Mono<ResponseEntity<Ready>> ready() {
        return readiness.checks().map(this::answer);
    }

    @EventListener
    void on(ContextClosedEvent closed) {
        draining.set(true);
    }

    private ResponseEntity<Ready> answer(Readiness.Checks checks) {
        if (checks.passed() && !draining.get()) {
            return ResponseEntity.ok(new Ready("ready", checks.texts(), null, null));
        }
        String error = draining.get() ? "the server is stopping" : "a part of the server is not available";
        return ResponseEntity.status(503)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S)
                .body(new Ready("not_ready", checks.texts(), ErrorCode.M_UNKNOWN, error));
    }

    record Health(
            String status,
            String version,
            @JsonProperty("uptime_seconds") long uptimeSeconds) {}

    record LiveAnswer(String status) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ready(
            String status,
            Map<String, String> checks,
            @Nullable ErrorCode errcode,
            @Nullable String error) {}
}
