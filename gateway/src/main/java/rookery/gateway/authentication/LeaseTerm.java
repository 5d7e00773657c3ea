// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time that a lease lasts at its gateway: three seconds from before the request for the lease, by the monotonic or by the wall
 * clock, whichever says more. The monotonic clock counts while the process is stopped; the wall clock also counts while the machine
 * is suspended, and may be set back.
 */
final class LeaseTerm {
    static final long SECONDS = 3;

    private final LongSupplier nanos;
    private final LongSupplier millis;

    LeaseTerm(LongSupplier nanos, LongSupplier millis) {
        this.nanos = nanos;
        this.millis = millis;
    }

    /** The time just before a request for a lease. */
    Moment now() {
        return new Moment(nanos.getAsLong(), millis.getAsLong());
    }

    /** Whether a lease lasts that was requested just after this moment. */
    boolean lastsFrom(Moment request) {
        long monotonic = nanos.getAsLong() - request.nanos;
        long wall = TimeUnit.MILLISECONDS.toNanos(millis.getAsLong() - request.millis);
        return Math.max(monotonic, wall) < TimeUnit.SECONDS.toNanos(SECONDS);
    }

    record Moment(long nanos, long millis) {}
}
