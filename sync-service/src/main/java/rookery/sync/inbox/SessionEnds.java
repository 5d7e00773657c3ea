package rookery.sync.inbox;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;

/**
 * Sessions that ended a moment ago. A request may have passed the gateway just before, and arrive just after: it must not wait
 * long, for nobody would end it. It cannot be refused either: the device may have logged in again.
 */
@Component
public class SessionEnds {
    /** The gateway tries a read at the next node when the first one dies, 45 s after it had asked about the token, and clocks differ. */
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
