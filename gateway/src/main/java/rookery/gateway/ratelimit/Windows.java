// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit windows as known to this process. While Redis counts, the windows follow the counts of Redis. While Redis is
 * unavailable, they continue from the last known counts. When Redis returns without its data, they add the lost counts. So no
 * failure of Redis opens a window anew.
 */
final class Windows {
    /** Beyond this number the least used windows are evicted: a flood of addresses must not fill the memory. */
    private static final int MOST = 100_000;

    private final Cache<String, Window> windows =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
    private final LongSupplier clockMs;

    /** {@code clockMs} is monotonic and independent of the clock of Redis. */
    Windows(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Applies a count of Redis. */
    Verdict follow(String key, Limit limit, SharedCount shared) {
        return follow(key, limit, shared, 0);
    }

    /** Applies a count of Redis that includes permits for later requests; the verdict is for the request before them. */
    Verdict follow(String key, Limit limit, SharedCount shared, int permits) {
        long now = clockMs.getAsLong();
        return change(key, old -> followed(old, limit, shared, now))
                .verdict(limit, now, new SharedCount(shared.count() - permits, shared.windowEnd(), shared.now()));
    }

    /** Applies a late count of Redis for a request that {@link #countAlone} has already counted. */
    void followLate(String key, Limit limit, SharedCount shared, LoneCount counted) {
        long now = clockMs.getAsLong();
        change(key, old -> followed(old == null ? null : old.without(counted, now), limit, shared, now));
    }

    /** Counts a request that Redis was not asked about or did not answer in time. */
    LoneCount countAlone(String key, Limit limit) {
        long now = clockMs.getAsLong();
        var window = change(key, old -> countedAlone(old, limit, now));
        return new LoneCount(window.verdict(limit, now, null), window.aloneUntil);
    }

    /** Whether the next request would be refused, according to this process. */
    boolean isFull(String key, Limit limit) {
        long now = clockMs.getAsLong();
        var window = windows.getIfPresent(key);
        return window != null && window.shared(now) + window.alone(now) >= limit.maxRequests();
    }

    /**
     * The result for a request counted by this process; the end of its window by this process's clock also identifies the window.
     */
    record LoneCount(Verdict verdict, long until) {}

    private Window change(String key, UnaryOperator<@Nullable Window> next) {
        return windows.asMap().compute(key, (_, old) -> next.apply(old));
    }

    private static Window followed(@Nullable Window old, Limit limit, SharedCount shared, long now) {
        long until = now + shared.remainingMs();
        if (old == null || old.endsBefore(now)) {
            return new Window(shared.windowEnd(), shared.count(), until, 0, 0);
        }
        if (shared.windowEnd() < old.sharedEnd) {
            return old; // the answer was overtaken by the answer for a newer window
        }
        boolean lostMemory = now < old.sharedUntil
                && shared.windowEnd() != old.sharedEnd
                && shared.windowEnd() - limit.windowMs() < old.sharedEnd;
        if (lostMemory) {
            return new Window(
                    shared.windowEnd(), shared.count(), until, old.shared(now) + old.alone(now), old.sharedUntil);
        }
        long count = shared.windowEnd() == old.sharedEnd ? Math.max(old.shared, shared.count()) : shared.count();
        return new Window(shared.windowEnd(), count, until, old.alone(now), old.aloneUntil);
    }

    private static Window countedAlone(@Nullable Window old, Limit limit, long now) {
        if (old == null || old.endsBefore(now)) {
            return new Window(0, 0, 0, 1, now + limit.windowMs());
        }
        long until = old.alone(now) > 0 ? old.aloneUntil : old.sharedUntil;
        return new Window(old.sharedEnd, old.shared(now), old.sharedUntil, old.alone(now) + 1, until);
    }

    /**
     * One window.
     *
     * @param sharedEnd end of the window by the clock of Redis, which also identifies the window; 0 without a count of Redis
     * @param shared number of requests counted in Redis, valid until {@code sharedUntil}
     * @param alone number of requests counted only here, valid until {@code aloneUntil}
     */
    private record Window(long sharedEnd, long shared, long sharedUntil, long alone, long aloneUntil) {
        boolean endsBefore(long now) {
            return now >= sharedUntil && now >= aloneUntil;
        }

        /** Subtracts the request only from the window that counted it; otherwise one request too many would be allowed. */
        Window without(LoneCount counted, long now) {
            return counted.until == aloneUntil && alone(now) > 0
                    ? new Window(sharedEnd, shared, sharedUntil, alone - 1, aloneUntil)
                    : this;
        }

        long shared(long now) {
            return now < sharedUntil ? shared : 0;
        }

        long alone(long now) {
            return now < aloneUntil ? alone : 0;
        }

        Verdict verdict(Limit limit, long now, @Nullable SharedCount own) {
            long ours = own == null ? shared(now) : own.count();
            long count = ours + alone(now);
            long until = ours > limit.maxRequests() || alone(now) == 0 ? sharedUntil : aloneUntil;
            return new Verdict(count, Math.max(1, until - now), count <= limit.maxRequests());
        }
    }
}
