package rookery.gateway.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether Redis is worth asking. After a failure one request in a while asks again; all others do without it, so that a
 * Redis which hangs delays next to nobody.
 */
final class Presence {
    private static final long PAUSE_MS = 500;
    /** One late answer, as when this process was paused, is not worth a word. */
    private static final int FAILURES_TO_SAY = 2;

    /** 0 while Redis answers, else when it may be asked again. */
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

    /** Whether that is worth saying. */
    boolean answered() {
        if (askAgainAt.get() == 0) {
            return false;
        }
        askAgainAt.set(0);
        return failuresInARow.getAndSet(0) >= FAILURES_TO_SAY;
    }

    /** Whether that is worth saying. Failures of requests that were under way together are one. */
    boolean failed(long nowMs) {
        boolean another = askAgainAt.getAndSet(nowMs + PAUSE_MS) == 0 || askedAgain.getAndSet(false);
        return another && failuresInARow.incrementAndGet() == FAILURES_TO_SAY;
    }

    boolean isAway() {
        return askAgainAt.get() != 0;
    }
}
