// SPDX-License-Identifier: Apache-2.0
package rookery.admin.ratelimit;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit;
import rookery.model.caller.Caller;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.Callers;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceName;

/**
 * How many requests an address may send to the tenant (contract.md 5.2, 5.3); M_FORBIDDEN for users who are not administrators.
 */
@RestController
public class RateLimitApi {
    private static final String PATH = "/_api/client/v3/admin/rate-limits";

    private final RateLimits limits;
    private final Audit audit;

    RateLimitApi(RateLimits limits, Audit audit) {
        this.limits = limits;
        this.audit = audit;
    }

    @GetMapping(PATH)
    @Access(Level.ADMIN)
    public Mono<ShownLimit> find(Caller caller) {
        return audit.recorded(caller, "see rate limits", "", limits.find(caller.tenant()));
    }

    /**
     * Body: any of {@code enabled}, {@code max_requests}, {@code window_seconds}, {@code exempt_ips}, {@code per_user}; absent
     * fields stay unchanged. Within seconds all windows start anew on every gateway. After M_BAD_JSON or M_INVALID_PARAM nothing
     * is changed.
     */
    @PostMapping(PATH)
    @Access(Level.ADMIN)
    public Mono<ShownLimit> change(Caller caller, JsonBody body) {
        var change = LimitChange.of(body);
        return audit.recorded(
                caller,
                "change rate limits",
                body.json().toString(),
                limits.change(caller.tenant(), change, caller.user()));
    }

    /** Polled by each gateway every second. */
    @Callers(ServiceName.GATEWAY)
    @GetMapping("/internal/rate-limits")
    public Mono<List<RateLimit>> all() {
        return limits.all();
    }
}
