package rookery.gateway.ratelimit;

import io.lettuce.core.protocol.AsyncCommand;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.gateway.ratelimit.Windows.LoneCount;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.model.id.UserId;

/**
 * The limit per tenant and address, or user where that is set: an exact fixed window, counted in Redis for all gateways, or by this process alone while
 * Redis is away (contract.md 2.6). It never opens and never fails.
 */
@Component
public class RateLimiter {
    public static final LuaScript SCRIPT = LuaScript.beside(RateLimiter.class, "window.lua");

    private final LimitSettings settings;
    private final Windows windows = new Windows(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    private final Counter limited;
    private final Counter alone;

    RateLimiter(LimitSettings settings, MeterRegistry meters, RedisLink redis) {
        this.settings = settings;
        limited = Counter.builder("rate_limited")
                .description("Requests refused because their address had sent too many")
                .register(meters);
        alone = Counter.builder("rate_limit_counted_alone")
                .description("Requests counted by this process only, because Redis was away")
                .register(meters);
        Gauge.builder("rate_limit_shared", redis, link -> link.isPresent() ? 1 : 0)
                .description("1 while all gateways count together in Redis, 0 while this process counts alone")
                .register(meters);
    }

    /**
     * One request in the window of its tenant and address or user, counted and judged by the limit that held when it came. It is counted
     * once, by Redis or by this process, whichever does it first.
     */
    public static final class CountedRequest {
        private final String key;
        private final Limit limit;
        private @Nullable Verdict verdict;
        private @Nullable LoneCount alone;

        private CountedRequest(String key, Limit limit) {
            this.key = key;
            this.limit = limit;
        }
    }

    /** Whether requests of the tenant are counted for users, as far as these are known. */
    public boolean isPerUser(int tenant) {
        return settings.of(tenant).perUser();
    }

    /**
     * A request that is to be counted, or null if none of its kind are.
     *
     * @param tenant 0 is that of unknown hosts
     * @param user whose token the request has, as far as that is known without asking, or null
     */
    public @Nullable CountedRequest request(int tenant, ClientAddress address, @Nullable UserId user) {
        var limit = settings.of(tenant);
        if (!limit.countsFor(address.address())) {
            return null;
        }
        String counted = limit.perUser() && user != null ? user.value() : address.counted();
        return new CountedRequest("rl:" + tenant + ":" + limit.version() + ":" + counted, limit);
    }

    /** The command that counts a request in Redis. */
    public AsyncCommand<String, String, List<Object>> count(CountedRequest request) {
        return SCRIPT.call(List.of(request.key), Long.toString(request.limit.windowMs()));
    }

    /** What the answer to {@link #count} means, also when it comes so late that the request was counted alone meanwhile. */
    public Verdict counted(CountedRequest request, List<Object> answer) {
        var shared = new SharedCount((Long) answer.get(0), (Long) answer.get(1), now(answer));
        synchronized (request) {
            if (request.alone != null) {
                windows.followLate(request.key, request.limit, shared, request.alone);
                return request.alone.verdict();
            }
            request.verdict = noted(windows.follow(request.key, request.limit, shared));
            return request.verdict;
        }
    }

    /** The time of Redis, milliseconds, which the answer to {@link #count} tells too. */
    public static long now(List<Object> answer) {
        return (Long) answer.get(2);
    }

    /** Counts a request here, because Redis was not asked or did not answer. */
    public Verdict countAlone(CountedRequest request) {
        synchronized (request) {
            if (request.verdict != null) {
                return request.verdict; // Redis did answer, at the very last moment
            }
            alone.increment();
            request.alone = windows.countAlone(request.key, request.limit);
            return noted(request.alone.verdict());
        }
    }

    private Verdict noted(Verdict verdict) {
        if (!verdict.allowed()) {
            limited.increment();
        }
        return verdict;
    }
}
