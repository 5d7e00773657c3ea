// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;

/**
 * Recently ended sessions. A request that passed the gateway before the end may arrive after the end: it must not wait long,
 * because no wake will come. It is not refused either, because the device may have logged in again.
 */
@Component
public class SessionEnds {
    /** The gateway retries a read on the next node up to 45 s after its token check, and clocks differ. */
    private static final long RECENT_NANOS = Duration.ofSeconds(60).toNanos();

    private static final int MAX = 10_000;

    private final Map<Session, Long> ends = new LinkedHashMap<>();

    private record Session(TenantUser user, DeviceId device) {}

    synchronized void add(TenantUser user, DeviceId device) {
        var session = new Session(user, device);
        ends.remove(session);
        ends.put(session, System.nanoTime());
        ends.values().removeIf(nanos -> ends.size() > MAX || System.nanoTime() - nanos > RECENT_NANOS);
    }

    public synchronized boolean isRecent(TenantUser user, DeviceId device) {
        var nanos = ends.get(new Session(user, device));
        return nanos != null && System.nanoTime() - nanos < RECENT_NANOS;
    }
}
