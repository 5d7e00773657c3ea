package rookery.gateway.entrance;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.gateway.authentication.Sessions;
import rookery.gateway.authentication.TokenHash;
import rookery.gateway.authentication.TokenOwners;
import rookery.gateway.ratelimit.CountedRequest;
import rookery.gateway.ratelimit.RateLimiter;
import rookery.gateway.ratelimit.Verdict;
import rookery.gateway.redis.Batch;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.gateway.routing.Destination.Nowhere;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/**
 * Decides who comes in, in the order of contract.md 2.2: limit, host and path, token. Redis is asked for the limit and the
 * token in one round trip, and is done without when it does not answer.
 */
@Component
class Admission {
    private static final int MS = 1000;
    private static final Anonymous NOBODY = new Anonymous(Reason.MISSING);
    private static final Anonymous UNKNOWN = new Anonymous(Reason.UNKNOWN);
    private static final List<LuaScript> SCRIPTS = List.of(RateLimiter.SCRIPT);
    /** Questions at a time about tokens of an address that has sent all the wrong ones it may: another one of it may be good. */
    private static final int DOUBTFUL_MAX = 16;

    private final RedisLink redis;
    private final RateLimiter limiter;
    private final Sessions sessions;
    private final TokenOwners owners;
    private final Slots<String> doubtful = new Slots<>(DOUBTFUL_MAX, () -> tooMany(MS));

    Admission(RedisLink redis, RateLimiter limiter, Sessions sessions, TokenOwners owners) {
        this.redis = redis;
        this.limiter = limiter;
        this.sessions = sessions;
        this.owners = owners;
    }

    /** Who is asking, or the refusal as an error; {@code loop} is where the request goes on. */
    Mono<Identity> admit(RequestFacts facts, Executor loop) {
        var visit = visit(facts, loop);
        if (visit.counted == null && visit.token == null) {
            return identify(visit, RoundTrip.NOTHING);
        }
        return Mono.fromFuture(look(visit), true)
                .flatMap(found -> identify(visit, found))
                .doOnNext(who -> note(visit, who));
    }

    /** The questions about a request: none about a token that auth-service did not know a moment ago. */
    private Visit visit(RequestFacts facts, Executor loop) {
        var token = facts.token();
        var address = facts.address();
        int tenant = facts.tenantNumber();
        boolean isPerUser = token != null && limiter.isPerUser(tenant);
        if (token != null && sessions.isUnknown(token)) {
            var counted = isPerUser ? limiter.ofWrongToken(tenant, address) : limiter.ofAddress(tenant, address);
            return new Visit(facts, null, counted, UNKNOWN, loop);
        }
        var counted = token != null && isPerUser
                ? limiter.ofOwner(tenant, address, owners.of(token))
                : limiter.ofAddress(tenant, address);
        return new Visit(facts, token, counted, NOBODY, loop);
    }

    private void note(Visit visit, Identity who) {
        if (visit.token == null || !limiter.isPerUser(visit.facts.tenantNumber())) {
            return;
        }
        switch (who) {
            case Known known -> owners.remember(visit.token, known.user());
            case Anonymous _ -> owners.forget(visit.token);
            case Locked _ -> {}
        }
    }

    private CompletableFuture<RoundTrip> look(Visit visit) {
        return redis.ask(() -> question(visit), SCRIPTS)
                .exceptionally(_ -> withoutRedis(visit.counted))
                .thenApplyAsync(found -> found, visit.loop);
    }

    private Batch<RoundTrip> question(Visit visit) {
        return visit.counted == null && visit.token != null
                ? uncounted(visit.token)
                : counted(visit.required(), visit.token);
    }

    private Batch<RoundTrip> uncounted(TokenHash token) {
        var time = Sessions.time();
        var session = Sessions.remembered(token);
        return new Batch<>(
                List.of(time, session),
                () -> new RoundTrip(null, Sessions.read(session.join()), Sessions.millis(time.join())));
    }

    private Batch<RoundTrip> counted(CountedRequest request, @Nullable TokenHash token) {
        var count = limiter.count(request, token == null ? null : Sessions.key(token));
        return new Batch<>(List.of(count), () -> found(request, count));
    }

    private RoundTrip found(CountedRequest request, AsyncCommand<String, String, List<Object>> count) {
        var answer = count.join();
        var session = Sessions.read(RateLimiter.session(answer));
        var verdict = limiter.counted(request, answer, session == null ? null : session.user());
        return new RoundTrip(verdict, session, RateLimiter.now(answer));
    }

    private RoundTrip withoutRedis(@Nullable CountedRequest counted) {
        return new RoundTrip(counted == null ? null : limiter.countAlone(counted), null, null);
    }

    private Mono<Identity> identify(Visit visit, RoundTrip found) {
        var facts = visit.facts;
        if (found.verdict != null && !found.verdict.allowed()) {
            return Mono.error(tooMany(found.verdict.remainingMs()));
        }
        if (facts.tenant() == null && !facts.destination().isOnAnyHost()) {
            return Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "nobody is served under this host name"));
        }
        if (facts.destination() instanceof Nowhere(var refusal)) {
            return Mono.error(refusal);
        }
        if (visit.token == null) {
            return Mono.just(visit.otherwise);
        }
        return found.session == null ? resolve(visit, visit.token, found) : Mono.just(found.session);
    }

    private Mono<Identity> resolve(Visit visit, TokenHash token, RoundTrip found) {
        var answer = sessions.resolve(token, visit.facts.client(), found.redisTime)
                .publishOn(Schedulers.fromExecutor(visit.loop)); // the answer may be that of many requests
        var counted = visit.counted;
        if (counted == null || found.verdict != null) {
            return answer;
        }
        var bounded = limiter.hasNoWrongTokensLeft(counted)
                ? doubtful.within(visit.facts.address().counted(), answer)
                : answer;
        return bounded.flatMap(who -> countAfterwards(visit.loop, counted, who));
    }

    /** Counts a request whose owner neither Redis nor this process knew: for its user, or among the wrong tokens of its address. */
    private Mono<Identity> countAfterwards(Executor loop, CountedRequest counted, Identity who) {
        limiter.chooseWindow(counted, owner(who));
        var round = redis.ask(() -> counted(counted, null), SCRIPTS)
                .exceptionally(_ -> withoutRedis(counted))
                .thenApplyAsync(found -> found, loop);
        return Mono.fromFuture(round, true)
                .flatMap(found -> found.verdict == null || found.verdict.allowed()
                        ? Mono.just(who)
                        : Mono.error(tooMany(found.verdict.remainingMs())));
    }

    private static @Nullable UserId owner(Identity who) {
        return switch (who) {
            case Known known -> known.user();
            case Locked locked -> locked.user();
            case Anonymous _ -> null;
        };
    }

    private static ApiException tooMany(long remainingMs) {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "Too many requests")
                .with("retry_after_ms", remainingMs)
                .withRetryAfter((int) ((remainingMs + MS - 1) / MS));
    }

    /**
     * A request, with the questions to Redis about it.
     *
     * @param token which is looked up, or null
     * @param counted null if it is not to be counted
     * @param otherwise who is asking where no token is looked up
     * @param loop where the request goes on
     */
    private record Visit(
            RequestFacts facts,
            @Nullable TokenHash token,
            @Nullable CountedRequest counted,
            Anonymous otherwise,
            Executor loop) {
        CountedRequest required() {
            return Objects.requireNonNull(counted);
        }
    }

    /** What the one round trip told; nulls where it was not asked or did not answer. */
    private record RoundTrip(
            @Nullable Verdict verdict,
            @Nullable Known session,
            @Nullable Long redisTime) {
        static final RoundTrip NOTHING = new RoundTrip(null, null, null);
    }
}
