// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import rookery.model.id.DeviceId;

/** The open requests of one connected user. */
public final class Waiters {
    private final Set<Waiter> all = ConcurrentHashMap.newKeySet();

    public Waiter enter(DeviceId device) {
        var waiter = new Waiter(device);
        all.add(waiter);
        return waiter;
    }

    public void leave(Waiter waiter) {
        all.remove(waiter);
    }

    public void wake(Wake why) {
        all.forEach(waiter -> waiter.wake(why));
    }

    public void wake(DeviceId device, Wake why) {
        for (var waiter : all) {
            if (waiter.device().equals(device)) {
                waiter.wake(why);
            }
        }
    }
}
