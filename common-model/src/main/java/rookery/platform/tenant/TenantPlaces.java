// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.HashMap;
import java.util.Map;

/**
 * A number of places that all tenants share. While no place is free, a tenant with less than the average still gets one, so a
 * tenant that fills all places refuses nobody but its own users. All tenants together take at most twice the number.
 */
public final class TenantPlaces {
    private final int most;
    private final Map<Integer, Integer> byTenant = new HashMap<>();
    private int taken;

    public TenantPlaces(int most) {
        this.most = most;
    }

    /** Whether {@link #take} would succeed now. */
    public synchronized boolean hasPlace(int tenant) {
        int own = byTenant.getOrDefault(tenant, 0);
        int tenants = byTenant.size() + (own == 0 ? 1 : 0);
        return taken < most || own < most / tenants;
    }

    /** Whether the tenant got a place; {@link #giveBack} must follow if so. */
    public synchronized boolean take(int tenant) {
        if (!hasPlace(tenant)) {
            return false;
        }
        taken++;
        byTenant.merge(tenant, 1, Integer::sum);
        return true;
    }

    /** Gives back a place that {@link #take} gave. */
    public synchronized void giveBack(int tenant) {
        taken--;
        byTenant.computeIfPresent(tenant, (_, own) -> own == 1 ? null : own - 1);
    }

    /** The number of taken places. */
    public synchronized int taken() {
        return taken;
    }
}
