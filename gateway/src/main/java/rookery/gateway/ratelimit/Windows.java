package rookery.gateway.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The windows as this process knows them. While Redis counts, they follow it; while it is away, they count on from what
 * was last heard; and when it comes back having forgotten, they remember for it. So no failure opens a window anew.
 */
final class Windows {
    /** Windows beyond this many are forgotten, the rarest first: a flood of addresses must not fill the memory. */
    private static final int MOST = 100_000;

    private final Cache<String, Window> windows =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
    private final LongSupplier clockMs;

    /** {@code clockMs} is monotonic and has nothing to do with the time of Redis. */
    Windows(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Takes over what Redis has counted. */
    Verdict follow(String key, Limit limit, SharedCount shared) {
        long now = clockMs.getAsLong();
        return change(key, old -> followed(old, limit, shared, now)).verdict(limit, now, shared);
    }

    /**
     * Takes over what Redis has counted of a request that was counted alone already, since Redis took too long.
     *
     * @param counted what {@link #countAlone} said of the request
     */
    void followLate(String key, Limit limit, SharedCount shared, LoneCount counted) {
        long now = clockMs.getAsLong();
        change(key, old -> followed(old == null ? null : old.without(counted, now), limit, shared, now));
    }

    /** Counts a request that Redis was not asked about, or has not answered in time. */
    LoneCount countAlone(String key, Limit limit) {
        long now = clockMs.getAsLong();
        var window = change(key, old -> countedAlone(old, limit, now));
        return new LoneCount(window.verdict(limit, now, null), window.aloneUntil);
    }

    /** Whether the next request would be refused, as far as this process knows. */
    boolean isFull(String key, Limit limit) {
        long now = clockMs.getAsLong();
        var window = windows.getIfPresent(key);
        return window != null && window.shared(now) + window.alone(now) >= limit.maxRequests();
    }

    /**
     * A request that was counted by this process.
     *
     * @param until the end of the window that it was counted in, by this process's clock, which is also the window's name
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
            return old; // an answer that was overtaken
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
     * @param sharedEnd when it ends by the clock of Redis, which is also its name; 0 if Redis never told
     * @param shared how many requests Redis has counted, as long as {@code sharedUntil} has not passed
     * @param alone how many were counted here and not there, as long as {@code aloneUntil} has not passed
     */
    private record Window(long sharedEnd, long shared, long sharedUntil, long alone, long aloneUntil) {
        boolean endsBefore(long now) {
            return now >= sharedUntil && now >= aloneUntil;
        }

        /** Of another window than that of the request nothing is taken: that would let one more in. */
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
