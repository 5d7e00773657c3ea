// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.id.DeviceId;

/**
 * A request that may wait.
 *
 * <p>A waiter listens before the request looks, and writers make changes readable before they wake. A change is therefore seen by
 * the look or wakes the listener, and is never missed by both.
 */
public final class Waiter {
    private final DeviceId device;
    private volatile Sinks.One<Wake> bell = Sinks.one();
    private volatile @Nullable Wake last;
    private volatile long wokenNanos;

    Waiter(DeviceId device) {
        this.device = device;
    }

    /** Starts listening. The first wake after the call completes the result, even before a subscription. */
    public Mono<Wake> listening() {
        var fresh = Sinks.<Wake>one();
        bell = fresh;
        var already = last;
        if (already != null) {
            fresh.tryEmitValue(already);
        }
        return fresh.asMono();
    }

    /** The {@link System#nanoTime} of the last wake. */
    public long wokenNanos() {
        return wokenNanos;
    }

    DeviceId device() {
        return device;
    }

    void wake(Wake why) {
        if (why.isFinal()) {
            last = why;
        }
        wokenNanos = System.nanoTime();
        bell.tryEmitValue(why); // fails after an earlier wake, which suffices
    }
}
