// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import io.lettuce.core.protocol.AsyncCommand;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import rookery.gateway.redis.Batch;
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

    private static final LuaScript GIVE_BACK = LuaScript.beside(RateLimiter.class, "give-back.lua");

    private static final int COSTLY = 10;

    private final LimitSettings settings;
    private final RedisLink redis;
    private final Windows windows = new Windows(RateLimiter::nowMs);
    private final Permits permits = new Permits(RateLimiter::nowMs);
    private final Counter limited;
    private final Counter alone;

    RateLimiter(LimitSettings settings, MeterRegistry meters, RedisLink redis) {
        this.settings = settings;
        this.redis = redis;
        limited = Counter.builder("rate_limited")
                .description("Requests refused because too many were sent")
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

    /** A request that is counted among all requests of its tenant, whatever the limit of its address. */
    public CountedRequest ofTenant(int tenant, long perSecond, ClientAddress address) {
        return CountedRequest.ofTenant(tenant, perSecond, "all", address);
    }

    /** A request that is counted among the costly requests of its tenant, of which there may be a tenth as many. */
    public CountedRequest ofCostly(int tenant, long perSecond, ClientAddress address) {
        return CountedRequest.ofTenant(tenant, Math.max(1, perSecond / COSTLY), "costly", address);
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

    /** Whether the request has a permit that is counted already, so that it need not be counted. */
    public boolean hasPermit(CountedRequest request) {
        return request.window != null && permits.use(request.window);
    }

    /** Subtracts permits that were not used in time. */
    @Scheduled(fixedDelayString = "PT0.25S")
    void giveBack() {
        var unused = permits.ended();
        if (!unused.isEmpty()) {
            var _ = redis.ask(() -> new Batch<>(commands(unused), () -> true), List.of(GIVE_BACK));
        }
    }

    private static List<AsyncCommand<String, String, ?>> commands(List<Permits.SparePermits> unused) {
        var commands = new ArrayList<AsyncCommand<String, String, ?>>();
        for (var each : unused) {
            commands.add(GIVE_BACK.call(
                    List.of(each.window()), Long.toString(each.windowEnd()), Integer.toString(each.permits())));
        }
        return commands;
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** The Redis command that counts a request and reads the session with this key, if any, in the same step. */
    public AsyncCommand<String, String, List<Object>> count(CountedRequest request, @Nullable String session) {
        if (session == null && request.asked == 0) {
            request.askedAt = nowMs();
            request.asked = permits.ask(Objects.requireNonNull(request.window), request.limit);
        }
        String window = Objects.requireNonNullElse(request.window, "");
        var arguments = new ArrayList<>(List.of(
                Long.toString(request.limit.windowMs()),
                request.isOwners && session != null ? request.prefix : "",
                Integer.toString(Math.max(1, request.asked))));
        if (Permits.areGiven(request.limit)) {
            arguments.add(Integer.toString(request.limit.maxRequests()));
        }
        return SCRIPT.call(
                session == null ? List.of(window) : List.of(window, session), arguments.toArray(String[]::new));
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
                noteAnswer(request, 0, null);
                if (window.equals(request.window)) {
                    windows.followLate(window, request.limit, shared, request.alone);
                }
                return request.alone.verdict();
            }
            request.window = window;
            int more = Math.max(0, request.asked - 1);
            request.verdict = noted(windows.follow(window, request.limit, shared, more));
            noteAnswer(request, request.verdict.count(), shared);
            return request.verdict;
        }
    }

    private void noteAnswer(CountedRequest request, long count, @Nullable SharedCount shared) {
        if (request.asked > 0 && request.window != null) {
            permits.counted(request.window, request.asked, count, request.askedAt, shared);
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
            noteAnswer(request, 0, null);
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
