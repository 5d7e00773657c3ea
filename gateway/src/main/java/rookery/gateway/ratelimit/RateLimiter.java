// SPDX-License-Identifier: Apache-2.0
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
 * The rate limit by tenant and address, or by user if configured: an exact fixed window, counted in Redis for all gateways, or by
 * this process alone while Redis is unavailable (contract.md 2.6). Never fails open and never fails with an error.
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

    /** Whether the tenant counts requests with a known user by user. */
    public boolean isPerUser(int tenant) {
        return settings.of(tenant).perUser();
    }

    /**
     * A request that is counted by address; null if the address is exempt or the limit is off. Tenant 0 is for hosts
     * without tenant.
     */
    public @Nullable CountedRequest ofAddress(int tenant, ClientAddress address) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofAddress(tenant, limit, address) : null;
    }

    /**
     * A request with an unknown token in a tenant that counts by user; wrong tokens have a window of their own for each address.
     */
    public @Nullable CountedRequest ofWrongToken(int tenant, ClientAddress address) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofWrongToken(tenant, limit, address) : null;
    }

    /**
     * A request with a token in a tenant that counts by user.
     *
     * @param noted the token's user at an earlier request, or null: then only the session in Redis determines the window
     */
    public @Nullable CountedRequest ofOwner(int tenant, ClientAddress address, @Nullable UserId noted) {
        var limit = settings.of(tenant);
        return limit.countsFor(address.address()) ? CountedRequest.ofOwner(tenant, limit, address, noted) : null;
    }

    /** Chooses the window after auth-service has resolved the token; {@code owner} is null for a wrong token. */
    public void chooseWindow(CountedRequest request, @Nullable UserId owner) {
        synchronized (request) {
            if (request.window == null) {
                request.window = owner == null ? request.wrongTokens() : request.of(owner);
            }
        }
    }

    /** Whether the address has used up its wrong tokens, according to this process. */
    public boolean hasNoWrongTokensLeft(CountedRequest request) {
        return windows.isFull(request.wrongTokens(), request.limit);
    }

    /** The Redis command that counts a request and reads the session with this key, if any, in the same step. */
    public AsyncCommand<String, String, List<Object>> count(CountedRequest request, @Nullable String session) {
        String window = Objects.requireNonNullElse(request.window, "");
        String length = Long.toString(request.limit.windowMs());
        if (session == null) {
            return SCRIPT.call(List.of(window), length);
        }
        return request.isOwners
                ? SCRIPT.call(List.of(window, session), length, request.prefix)
                : SCRIPT.call(List.of(window, session), length);
    }

    /**
     * The verdict from the answer to {@link #count}. After a late answer, when this process has already counted the request
     * alone, the earlier verdict stays. Null while the token's user is unknown.
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

    /** The time of Redis in the answer to {@link #count}, in ms. */
    public static long now(List<Object> answer) {
        return (Long) answer.get(2);
    }

    /** The session in the answer to {@link #count}, or null. */
    public static @Nullable String session(List<Object> answer) {
        return (String) answer.get(3);
    }

    /**
     * Counts a request in this process, because Redis was not asked or did not answer; null while the token's user is unknown.
     */
    public @Nullable Verdict countAlone(CountedRequest request) {
        synchronized (request) {
            if (request.verdict != null) {
                return request.verdict; // Redis answered at the last moment
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
