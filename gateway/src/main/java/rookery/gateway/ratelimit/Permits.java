// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Permits that this gateway has counted in Redis before their requests arrive, so that most requests of a busy window need no
 * round trip (decision 0027). A permit is one number of the window below the limit, so all gateways together never admit more.
 * Permits live for a second; unused ones are subtracted in Redis again, and those of a crashed gateway stay counted.
 *
 * <p>A batch doubles while batches are used up within their life, and falls to the number that was used. Close to the limit it
 * falls to one, so that another gateway gets the last requests.
 */
final class Permits {
    private static final int LEASED_ABOVE = 1000;
    private static final long MINUTE_MS = 60_000;
    private static final long LIFE_MS = 1000;
    private static final long UNUSED_MS = 10_000;
    private static final int BATCH_MAX = 256;
    /** A batch takes at most this share of the requests that are left, because the others may come to another gateway. */
    private static final int SHARE = 16;
    /** Beyond this number of busy windows further ones are counted one by one. */
    private static final int WINDOWS_MAX = 10_000;

    private final ConcurrentMap<String, Batch> batches = new ConcurrentHashMap<>();
    private final LongSupplier clockMs;

    /** {@code clockMs} is monotonic. */
    Permits(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Whether requests of this limit may be counted in advance: a small limit is counted one by one. */
    static boolean areGiven(Limit limit) {
        return limit.maxRequests() * MINUTE_MS > LEASED_ABOVE * limit.windowMs();
    }

    /** Uses a permit, if there is one. */
    boolean use(String window) {
        var batch = batches.get(window);
        return batch != null && batch.use(clockMs.getAsLong());
    }

    /** The number of requests to count in Redis for one request, which itself is the first; {@link #counted} must follow. */
    int ask(String window, Limit limit) {
        if (!areGiven(limit)) {
            return 1;
        }
        var batch = batches.get(window);
        if (batch == null && batches.size() < WINDOWS_MAX) {
            batch = batches.computeIfAbsent(window, _ -> new Batch(limit));
        }
        return batch == null ? 1 : batch.ask(clockMs.getAsLong());
    }

    /**
     * Keeps the permits of an answer.
     *
     * @param asked the number from {@link #ask}
     * @param count the number of the request itself in its window
     * @param askedAt the time before the question, so that no permit outlives its window
     * @param shared the window in Redis; null without an answer of Redis
     */
    void counted(String window, int asked, long count, long askedAt, @Nullable SharedCount shared) {
        var batch = batches.get(window);
        if (batch != null) {
            batch.counted(asked, count, askedAt, shared);
        }
    }

    /** Removes the unused permits of batches that have ended, to be subtracted in Redis. */
    List<SparePermits> ended() {
        long now = clockMs.getAsLong();
        var unused = new ArrayList<SparePermits>();
        batches.forEach((window, batch) -> {
            var ended = batch.end(window, now);
            if (ended != null) {
                unused.add(ended);
            }
        });
        batches.values().removeIf(batch -> batch.isIdle(now));
        return unused;
    }

    /** Permits of a window, which ends at {@code windowEnd} by the clock of Redis. */
    record SparePermits(String window, long windowEnd, int permits) {}

    private static final class Batch {
        private final long max;
        private int size = 1;
        private int taken;
        private int left;
        private long until;
        private long windowEnd;
        /** Requests without a number in the window, by the latest answer. */
        private long free;
        /** Whether a question for more than one permit is under way; other requests are counted one by one meanwhile. */
        private boolean asking;

        Batch(Limit limit) {
            this.max = limit.maxRequests();
            this.free = max;
        }

        synchronized boolean use(long now) {
            if (left == 0 || now >= until) {
                return false;
            }
            left--;
            return true;
        }

        synchronized int ask(long now) {
            if (asking || left > 0) {
                return 1;
            }
            size = now < until ? Math.min(size * 2, BATCH_MAX) : 1;
            until = now + LIFE_MS;
            int asked = (int) Math.min(size, Math.max(1, free / SHARE));
            asking = asked > 1;
            return asked;
        }

        synchronized void counted(int asked, long count, long askedAt, @Nullable SharedCount shared) {
            asking &= asked == 1;
            free = shared == null ? free : Math.max(0, max - count);
            if (shared == null || asked == 1) {
                return;
            }
            taken = asked - 1;
            left = Math.clamp(max - count, 0, taken);
            until = askedAt + Math.min(LIFE_MS, shared.remainingMs());
            windowEnd = shared.windowEnd();
            free -= left;
        }

        /** Ends a batch whose time is over; returns its unused permits, or null. */
        synchronized @Nullable SparePermits end(String window, long now) {
            if (now < until || left == 0) {
                return null;
            }
            var unused = new SparePermits(window, windowEnd, left);
            free += left;
            size = Math.max(1, taken - left);
            left = 0;
            return unused;
        }

        synchronized boolean isIdle(long now) {
            return now >= until + UNUSED_MS && left == 0 && !asking;
        }
    }
}
