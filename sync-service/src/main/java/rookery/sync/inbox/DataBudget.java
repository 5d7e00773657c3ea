// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.HashMap;
import java.util.Map;
import rookery.model.id.TenantId;

/**
 * The account data that this node keeps. A user with little data is always served; the large data of all users together have a bound,
 * and those of one tenant half of it.
 */
public final class DataBudget {
    /** Data up to this size are little: the default push rules have 6,000 characters. */
    static final long LITTLE_BYTES = 128 << 10;

    private final long bytesMax;
    private final Map<TenantId, Long> byTenant = new HashMap<>();
    private long all;
    private boolean isShort;

    public DataBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Changes the bytes of one user. False, with nothing changed, if they are not little and beyond a bound. */
    synchronized boolean resize(TenantId tenant, long before, long after) {
        long more = large(after) - large(before);
        long ofTenant = byTenant.getOrDefault(tenant, 0L) + more;
        if (more > 0 && (all + more > bytesMax || ofTenant > bytesMax / 2)) {
            isShort = true;
            return false;
        }
        all += more;
        if (ofTenant == 0) {
            byTenant.remove(tenant);
        } else {
            byTenant.put(tenant, ofTenant);
        }
        return true;
    }

    private static long large(long bytes) {
        return bytes > LITTLE_BYTES ? bytes : 0;
    }

    /** The bytes of large data. */
    synchronized long used() {
        return all;
    }

    /** Whether data were refused since the last call. */
    synchronized boolean wasShort() {
        boolean was = isShort;
        isShort = false;
        return was;
    }
}
