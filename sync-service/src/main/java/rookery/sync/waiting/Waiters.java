// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import rookery.model.id.DeviceId;

/** The open requests of one connected user, and the times of the last answers. */
public final class Waiters {
    /** Beyond this number of devices, times without effect are dropped. */
    private static final int DEVICES_MAX = 16;

    private final Gathering gathering;
    private final Set<Waiter> all = ConcurrentHashMap.newKeySet();
    private final Map<DeviceId, Long> answeredNanos = new ConcurrentHashMap<>();

    public Waiters(Gathering gathering) {
        this.gathering = gathering;
    }

    public Waiter enter(DeviceId device) {
        long longAgo = gathering.nanos() - gathering.intervalNanos();
        var waiter = new Waiter(device, gathering, answeredNanos.getOrDefault(device, longAgo));
        all.add(waiter);
        return waiter;
    }

    public void leave(Waiter waiter) {
        all.remove(waiter);
    }

    /** Notes that the device gets an answer with news. */
    public void answered(DeviceId device) {
        long now = gathering.nanos();
        if (answeredNanos.size() >= DEVICES_MAX) {
            answeredNanos.values().removeIf(nanos -> now - nanos > gathering.intervalNanos());
        }
        answeredNanos.put(device, now);
    }

    public void wake(Wake why) {
        all.forEach(waiter -> waiter.wake(why));
    }

    public void wake(Urgency urgency) {
        all.forEach(waiter -> waiter.wake(urgency));
    }

    public void wake(DeviceId device, Wake why) {
        for (var waiter : all) {
            if (waiter.device().equals(device)) {
                waiter.wake(why);
            }
        }
    }
}
