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
 * the look or wakes the listener, and is never missed by both. News that can wait open a window, at whose end the request looks,
 * unless an urgent wake comes before.
 */
public final class Waiter {
    private final DeviceId device;
    private final Gathering gathering;
    /** The {@link Gathering#nanos} of the device's last answer before this request. */
    private final long answeredNanos;

    private volatile Sinks.One<Wake> bell = Sinks.one();
    private volatile @Nullable Wake last;
    private volatile long wokenNanos;
    private Window window = Window.CLOSED;
    private long dueNanos;

    private enum Window {
        /** No news wait. */
        CLOSED,
        /** News wait until {@link #dueNanos}. */
        OPEN,
        /** News have waited long enough: the next look that finds them answers. */
        OVER
    }

    Waiter(DeviceId device, Gathering gathering, long answeredNanos) {
        this.device = device;
        this.gathering = gathering;
        this.answeredNanos = answeredNanos;
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

    /** Wakes now, or when the news are due. */
    void wake(Urgency urgency) {
        if (urgency == Urgency.NOW || !waits(urgency)) {
            wake(Wake.NEWS);
        }
    }

    private synchronized boolean waits(Urgency urgency) {
        if (window == Window.OVER || (window == Window.OPEN && urgency == Urgency.LATER)) {
            return window == Window.OPEN;
        }
        return opened(gathering.dueOfNews(urgency, answeredNanos));
    }

    /** Opens or shortens the window; false if its end has passed. */
    private boolean opened(long due) {
        if (due - gathering.nanos() <= 0) {
            return false;
        }
        if (window == Window.CLOSED || due - dueNanos < 0) {
            window = Window.OPEN;
            dueNanos = due;
            gathering.callAt(due, this);
        }
        return true;
    }

    /** Ends the window, unless another one has begun since the tick was chosen. */
    void due(long tickNanos) {
        if (ends(tickNanos)) {
            wake(Wake.NEWS);
        }
    }

    private synchronized boolean ends(long tickNanos) {
        if (window != Window.OPEN || dueNanos - tickNanos > 0) {
            return false;
        }
        window = Window.OVER;
        return true;
    }

    /** Whether a look that found news is answered now; otherwise the request is woken when the news are due. */
    public synchronized boolean isDue(Urgency found) {
        if (found == Urgency.NOTHING) {
            window =
                    window == Window.OVER ? Window.CLOSED : window; // news that came during the look have rung the bell
            return false;
        }
        if (found == Urgency.NOW || window == Window.OVER) {
            return true;
        }
        boolean waits = window == Window.OPEN && found == Urgency.LATER;
        return !waits && !opened(gathering.dueOfEarlier(found, answeredNanos));
    }

    /** Whether news wait. */
    public synchronized boolean isGathering() {
        return window != Window.CLOSED;
    }
}
