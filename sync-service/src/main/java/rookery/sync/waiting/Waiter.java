package rookery.sync.waiting;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.id.DeviceId;

/**
 * One request that may have to wait.
 *
 * <p>It listens before it looks: whoever changes something first makes the change readable and then wakes, so a change is
 * either seen by the look or heard by the listener, never missed by both.
 */
public final class Waiter {
    private final DeviceId device;
    private volatile Sinks.One<Wake> bell = Sinks.one();
    private volatile @Nullable Wake last;
    private volatile long wokenNanos;

    Waiter(DeviceId device) {
        this.device = device;
    }

    /** Listens from now on; the first wake after this call completes the result, also when nobody has subscribed yet. */
    public Mono<Wake> listening() {
        var fresh = Sinks.<Wake>one();
        bell = fresh;
        var already = last;
        if (already != null) {
            fresh.tryEmitValue(already);
        }
        return fresh.asMono();
    }

    /** When somebody last rang. */
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
        bell.tryEmitValue(why); // refused if it rang already, which is as good
    }
}
