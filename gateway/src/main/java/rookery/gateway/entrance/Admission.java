// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.gateway.authentication.SessionCache;
import rookery.gateway.authentication.Sessions;
import rookery.gateway.authentication.TokenHash;
import rookery.gateway.authentication.TokenOwners;
import rookery.gateway.ratelimit.CountedRequest;
import rookery.gateway.ratelimit.Floods;
import rookery.gateway.ratelimit.RateLimiter;
import rookery.gateway.ratelimit.Verdict;
import rookery.gateway.redis.Batch;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.gateway.routing.Destination.Nowhere;
import rookery.gateway.routing.Destination.Own;
import rookery.gateway.routing.PathTable;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * Admits requests in the order of contract.md 2.2: rate limit, host and path, token. One round trip to Redis serves the limit and
 * the token; without an answer of Redis, this process counts and auth-service resolves the token.
 */
@Component
class Admission {
    private static final int MS = 1000;
    private static final String TOO_MANY = "Too many requests";
    private static final String OF_TENANT = "Too many requests of this server's users (max_requests_per_second)";
    private static final Anonymous NOBODY = new Anonymous(Reason.MISSING);
    private static final Anonymous UNKNOWN = new Anonymous(Reason.UNKNOWN);
    private static final List<LuaScript> SCRIPTS = List.of(RateLimiter.SCRIPT);
    /**
     * Concurrent look-ups for an address that has used up its wrong tokens: the next token may be valid, so look-ups continue,
     * but only a few at a time.
     */
    private static final int DOUBTFUL_MAX = 16;

    private final RedisLink redis;
    private final RateLimiter limiter;
    private final Floods floods;
    private final Sessions sessions;
    private final TokenOwners owners;
    private final Tenants tenants;
    private final Slots<String> doubtful = new Slots<>(DOUBTFUL_MAX, () -> tooMany(TOO_MANY, MS));

    Admission(
            RedisLink redis,
            RateLimiter limiter,
            Floods floods,
            Sessions sessions,
            TokenOwners owners,
            Tenants tenants) {
        this.redis = redis;
        this.limiter = limiter;
        this.floods = floods;
        this.sessions = sessions;
        this.owners = owners;
        this.tenants = tenants;
    }

    /** The identity of the caller, or the refusal as an error; {@code loop} is the executor on which the request continues. */
    Mono<Identity> admit(RequestFacts facts, Executor loop) {
        var visit = visit(facts, loop);
        if (visit.token == null && (visit.counted == null || limiter.hasPermit(visit.counted))) {
            return identify(visit, RoundTrip.NOTHING).flatMap(identity -> withinTenant(visit, identity));
        }
        return ask(() -> question(visit), visit.counted, visit.loop)
                .flatMap(result -> identify(visit, result))
                .doOnNext(identity -> note(visit, identity))
                .flatMap(identity -> withinTenant(visit, identity));
    }

    /** Counts the request against the limit that operators have set for all requests of the tenant (contract.md 20). */
    private Mono<Identity> withinTenant(Visit visit, Identity identity) {
        var tenant = visit.facts.tenant();
        var most = tenant == null ? null : tenants.setting(tenant.id(), TenantSettings.REQUESTS_MAX);
        return tenant == null || most == null ? Mono.just(identity) : withinTenant(visit, tenant.id(), most, identity);
    }

    private Mono<Identity> withinTenant(Visit visit, TenantId tenant, long most, Identity identity) {
        if (!floods.mayPass(tenant)) {
            return Mono.error(tooMany(OF_TENANT, MS));
        }
        var address = visit.facts.address();
        var among = permitted(visit, limiter.ofTenant(tenant.value(), most, address), identity)
                .doOnError(_ -> floods.refused(tenant));
        return visit.facts.load().isCostly()
                ? among.flatMap(_ -> permitted(visit, limiter.ofCostly(tenant.value(), most, address), identity))
                : among;
    }

    private Mono<Identity> permitted(Visit visit, CountedRequest counted, Identity identity) {
        return limiter.hasPermit(counted) ? Mono.just(identity) : allowed(visit, counted, identity, OF_TENANT);
    }

    private Mono<Identity> allowed(Visit visit, CountedRequest counted, Identity identity, String refusal) {
        return ask(() -> counted(counted, null), counted, visit.loop)
                .flatMap(result -> result.verdict == null || result.verdict.allowed()
                        ? Mono.just(identity)
                        : Mono.error(tooMany(refusal, result.verdict.remainingMs())));
    }

    /** Decides about counting and token look-up; neither a session in memory nor a recently unknown token is looked up. */
    private Visit visit(RequestFacts facts, Executor loop) {
        if (facts.destination() instanceof Own(var path, var _) && path.equals(PathTable.HOSTS)) {
            return new Visit(facts, null, null, NOBODY, loop); // all questions of a proxy come from one address
        }
        var token = facts.token();
        var address = facts.address();
        int tenant = facts.tenantNumber();
        boolean isPerUser = token != null && limiter.isPerUser(tenant);
        var known = token == null ? null : sessions.known(token, facts.client());
        if (known != null) {
            var counted =
                    isPerUser ? limiter.ofOwner(tenant, address, known.user()) : limiter.ofAddress(tenant, address);
            return new Visit(facts, null, counted, known, loop);
        }
        if (token != null && sessions.isUnknown(token)) {
            var counted = isPerUser ? limiter.ofWrongToken(tenant, address) : limiter.ofAddress(tenant, address);
            return new Visit(facts, null, counted, UNKNOWN, loop);
        }
        var counted = token != null && isPerUser
                ? limiter.ofOwner(tenant, address, owners.of(token))
                : limiter.ofAddress(tenant, address);
        return new Visit(facts, token, counted, NOBODY, loop);
    }

    private void note(Visit visit, Identity identity) {
        if (visit.token == null || !limiter.isPerUser(visit.facts.tenantNumber())) {
            return;
        }
        switch (identity) {
            case Known known -> owners.remember(visit.token, known.user());
            case Anonymous _ -> owners.forget(visit.token);
            case Locked _ -> {}
        }
    }

    /** The results of one round trip to Redis, on the loop of the request; counted by this process if Redis does not answer. */
    private Mono<RoundTrip> ask(Supplier<Batch<RoundTrip>> question, @Nullable CountedRequest counted, Executor loop) {
        var answer = redis.ask(question, SCRIPTS).exceptionally(_ -> withoutRedis(counted));
        return Mono.fromFuture(answer.thenApplyAsync(result -> result, loop), true);
    }

    private Batch<RoundTrip> question(Visit visit) {
        return visit.counted == null && visit.token != null
                ? uncounted(visit.token)
                : counted(Objects.requireNonNull(visit.counted), visit.token);
    }

    private Batch<RoundTrip> uncounted(TokenHash token) {
        var time = SessionCache.time();
        var session = SessionCache.get(token);
        return new Batch<>(
                List.of(time, session),
                () -> new RoundTrip(null, SessionCache.read(session.join()), SessionCache.millis(time.join())));
    }

    private Batch<RoundTrip> counted(CountedRequest request, @Nullable TokenHash token) {
        var count = limiter.count(request, token == null ? null : SessionCache.key(token));
        return new Batch<>(List.of(count), () -> result(request, count));
    }

    private RoundTrip result(CountedRequest request, AsyncCommand<String, String, List<Object>> count) {
        var answer = count.join();
        var session = SessionCache.read(RateLimiter.session(answer));
        var verdict = limiter.counted(request, answer, session == null ? null : session.user());
        return new RoundTrip(verdict, session, RateLimiter.now(answer));
    }

    private RoundTrip withoutRedis(@Nullable CountedRequest counted) {
        return new RoundTrip(counted == null ? null : limiter.countAlone(counted), null, null);
    }

    private Mono<Identity> identify(Visit visit, RoundTrip result) {
        var facts = visit.facts;
        if (result.verdict != null && !result.verdict.allowed()) {
            return Mono.error(tooMany(TOO_MANY, result.verdict.remainingMs()));
        }
        if (facts.tenant() == null && !facts.destination().onAnyHost()) {
            return Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "nobody is served under this host name"));
        }
        if (facts.destination() instanceof Nowhere(var refusal)) {
            return Mono.error(refusal);
        }
        if (visit.token == null) {
            return Mono.just(visit.otherwise);
        }
        return result.session == null ? resolve(visit, visit.token, result) : Mono.just(result.session);
    }

    private Mono<Identity> resolve(Visit visit, TokenHash token, RoundTrip result) {
        var answer = sessions.resolve(token, visit.facts.client(), result.redisTime)
                .publishOn(Schedulers.fromExecutor(
                        visit.loop)); // many requests may share the answer, each with its own loop
        var counted = visit.counted;
        if (counted == null || result.verdict != null) {
            return answer;
        }
        var bounded = limiter.hasNoWrongTokensLeft(counted)
                ? doubtful.within(visit.facts.address().counted(), answer)
                : answer;
        return bounded.flatMap(identity -> countAfterwards(visit, counted, identity));
    }

    /**
     * Counts a request whose user neither Redis nor this process knew: for the user, or among the wrong tokens of the address.
     */
    private Mono<Identity> countAfterwards(Visit visit, CountedRequest counted, Identity identity) {
        limiter.chooseWindow(counted, owner(identity));
        return allowed(visit, counted, identity, TOO_MANY);
    }

    private static @Nullable UserId owner(Identity identity) {
        return switch (identity) {
            case Known known -> known.user();
            case Locked locked -> locked.user();
            case Anonymous _ -> null;
        };
    }

    private static ApiException tooMany(String refusal, long remainingMs) {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, refusal)
                .with("retry_after_ms", remainingMs)
                .withRetryAfter((int) ((remainingMs + MS - 1) / MS));
    }

    /**
     * A request with the input of its round trip to Redis.
     *
     * @param token the token to look up, or null
     * @param counted null if the request is not counted
     * @param otherwise the identity if no token is looked up
     * @param loop the executor on which the request continues
     */
    private record Visit(
            RequestFacts facts,
            @Nullable TokenHash token,
            @Nullable CountedRequest counted,
            Identity otherwise,
            Executor loop) {}

    /** The results of the round trip; null where nothing was requested or Redis did not answer. */
    private record RoundTrip(
            @Nullable Verdict verdict,
            @Nullable Known session,
            @Nullable Long redisTime) {
        static final RoundTrip NOTHING = new RoundTrip(null, null, null);
    }
}
