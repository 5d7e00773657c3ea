// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether Redis should be asked. After a failure, one request per pause tries again and all others skip Redis, so a hanging Redis
 * delays hardly any request.
 */
final class Presence {
    private static final long PAUSE_MS = 500;
    /** A single late answer, for example after a pause of this process, is not logged. */
    private static final int FAILURES_TO_SAY = 2;

    /** 0 while Redis answers, otherwise the time of the next try. */
    private final AtomicLong askAgainAt = new AtomicLong();

    private final AtomicBoolean askedAgain = new AtomicBoolean();
    private final AtomicInteger failuresInARow = new AtomicInteger();

    boolean mayAsk(long nowMs) {
        long at = askAgainAt.get();
        if (at == 0) {
            return true;
        }
        boolean mine = nowMs >= at && askAgainAt.compareAndSet(at, nowMs + PAUSE_MS);
        if (mine) {
            askedAgain.set(true);
        }
        return mine;
    }

    /** Whether to log the recovery. */
    boolean answered() {
        if (askAgainAt.get() == 0) {
            return false;
        }
        askAgainAt.set(0);
        return failuresInARow.getAndSet(0) >= FAILURES_TO_SAY;
    }

    /** Whether to log the failure. Failures of concurrent requests count as one. */
    boolean failed(long nowMs) {
        boolean another = askAgainAt.getAndSet(nowMs + PAUSE_MS) == 0 || askedAgain.getAndSet(false);
        return another && failuresInARow.incrementAndGet() == FAILURES_TO_SAY;
    }

    boolean isAway() {
        return askAgainAt.get() != 0;
    }
}
