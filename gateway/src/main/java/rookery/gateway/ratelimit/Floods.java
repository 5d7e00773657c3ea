// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.platform.ratelimit.Pace;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * Admits requests evenly while a tenant sends more than its {@code max_requests_per_second} (contract.md 20). The window alone admits
 * all requests at the start of each second, and then requests of other tenants wait for a processor. The pace is of this gateway;
 * the window in Redis bounds the requests of all gateways together.
 */
@Component
public class Floods {
    static final Duration BURST = Duration.ofMillis(50);
    private static final long LENGTH_MS = 2_000;

    private final Pace pace;
    private final InstantSource clock;
    /** The end of the flood of each tenant, in ms since the epoch. */
    private final Map<TenantId, Long> ends = new ConcurrentHashMap<>();

    @Autowired
    Floods(Tenants tenants, Clock clock) {
        this(new Pace(tenant -> tenants.setting(tenant, TenantSettings.REQUESTS_MAX), BURST, clock), clock);
    }

    Floods(Pace pace, InstantSource clock) {
        this.pace = pace;
        this.clock = clock;
    }

    /** Whether a request may be counted now: always, unless one of the tenant was refused during the last seconds. */
    public boolean mayPass(TenantId tenant) {
        var end = ends.get(tenant);
        if (end == null) {
            return true;
        }
        if (end <= clock.millis()) {
            ends.remove(tenant, end);
            return true;
        }
        boolean passes = pace.take(tenant);
        if (!passes) {
            ends.put(tenant, clock.millis() + LENGTH_MS);
        }
        return passes;
    }

    /** After the window was full for a request that was let pass. */
    public void refused(TenantId tenant) {
        ends.put(tenant, clock.millis() + LENGTH_MS);
        pace.givenBack(tenant);
    }
}
