package rookery.gateway.ratelimit;

import io.lettuce.core.protocol.AsyncCommand;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.model.id.UserId;

/**
 * The limit per tenant and address, or user where that is set: an exact fixed window, counted in Redis for all gateways, or by this
 * process alone while Redis is away (contract.md 2.6). It never opens and never fails.
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
                .description("Requests refused because their address or user had sent too many")
                .register(meters);
        alone = Counter.builder("rate_limit_counted_alone")
                .description("Requests counted by this process only, because Redis was away")
                .register(meters);
        Gauge.builder("rate_limit_shared", redis, link -> link.isPresent() ? 1 : 0)
                .description("1 while all gateways count together in Redis, 0 while this process counts alone")
                .register(meters);
    }

    /** Whether requests of the tenant are counted for users, as far as these are known. */
    public boolean isPerUser(int tenant) {
        return settings.of(tenant).perUser();
    }

    /**
     * A request that is to be counted for its address, or null if none of its kind are.
     *
     * @param tenant 0 is that of unknown hosts
     */
    public @Nullable CountedRequest ofAddress(int tenant, ClientAddress address) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofAddress(tenant, limit, address) : null;
    }

    /** The same with a token that is known to be nobody's: where users are counted, such requests of an address have a window of their own. */
    public @Nullable CountedRequest ofWrongToken(int tenant, ClientAddress address) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofWrongToken(tenant, limit, address) : null;
    }

    /**
     * The same with a token, where users are counted.
     *
     * @param noted whose token it was when it was seen last, or null: then only its session says who is counted
     */
    public @Nullable CountedRequest ofOwner(int tenant, ClientAddress address, @Nullable UserId noted) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofOwner(tenant, limit, address, noted) : null;
    }

    /**
     * Chooses the window of a request whose token auth-service has looked up.
     *
     * @param owner null if the token is wrong
     */
    public void chooseWindow(CountedRequest request, @Nullable UserId owner) {
        synchronized (request) {
            if (request.window == null) {
                request.window = owner == null ? request.wrongTokens() : request.of(owner);
            }
        }
    }

    /** Whether the address of the request has sent all the wrong tokens that it may, as far as this process knows. */
    public boolean hasNoWrongTokensLeft(CountedRequest request) {
        return windows.isFull(request.wrongTokens(), request.limit);
    }

    /**
     * The command that counts a request in Redis.
     *
     * @param session the key of a session that is read in the same step, or null
     */
    public AsyncCommand<String, String, List<Object>> count(CountedRequest request, @Nullable String session) {
        String window = Objects.requireNonNullElse(request.window, "");
        String length = Long.toString(request.limit.windowMs());
        if (session == null) {
            return SCRIPT.call(List.of(window), length);
        }
        return request.isOwners
                ? SCRIPT.call(List.of(window, session), length, request.prefix())
                : SCRIPT.call(List.of(window, session), length);
    }

    /**
     * What the answer to {@link #count} means, also when it comes so late that the request was counted alone meanwhile; null while the
     * owner of the token is not known.
     *
     * @param owner the user of the session that was read, or null
     */
    public @Nullable Verdict counted(CountedRequest request, List<Object> answer, @Nullable UserId owner) {
        var shared = new SharedCount((Long) answer.get(0), (Long) answer.get(1), now(answer));
        synchronized (request) {
            String window = owner == null || !request.isOwners ? request.window : request.of(owner);
            if (shared.count() == 0 || window == null) {
                return null;
            }
            if (request.alone != null) {
                if (window.equals(request.window)) {
                    windows.followLate(window, request.limit, shared, request.alone);
                }
                return request.alone.verdict();
            }
            request.window = window;
            request.verdict = noted(windows.follow(window, request.limit, shared));
            return request.verdict;
        }
    }

    /** The time of Redis, milliseconds, which the answer to {@link #count} tells too. */
    public static long now(List<Object> answer) {
        return (Long) answer.get(2);
    }

    /** The session that the answer to {@link #count} holds, or null. */
    public static @Nullable String session(List<Object> answer) {
        return (String) answer.get(3);
    }

    /** Counts a request here, because Redis was not asked or did not answer; null while the owner of the token is not known. */
    public @Nullable Verdict countAlone(CountedRequest request) {
        synchronized (request) {
            if (request.verdict != null) {
                return request.verdict; // Redis did answer, at the very last moment
            }
            if (request.window == null) {
                return null;
            }
            alone.increment();
            request.alone = windows.countAlone(request.window, request.limit);
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
