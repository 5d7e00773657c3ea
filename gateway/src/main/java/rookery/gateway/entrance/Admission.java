package rookery.gateway.entrance;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.authentication.Sessions;
import rookery.gateway.authentication.TokenOwners;
import rookery.gateway.ratelimit.RateLimiter;
import rookery.gateway.ratelimit.RateLimiter.CountedRequest;
import rookery.gateway.ratelimit.Verdict;
import rookery.gateway.redis.Batch;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.gateway.routing.Destination.Nowhere;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
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
    private static final List<LuaScript> SCRIPTS = List.of(RateLimiter.SCRIPT);

    private final RedisLink redis;
    private final RateLimiter limiter;
    private final Sessions sessions;
    private final TokenOwners owners;

    Admission(RedisLink redis, RateLimiter limiter, Sessions sessions, TokenOwners owners) {
        this.redis = redis;
        this.limiter = limiter;
        this.sessions = sessions;
        this.owners = owners;
    }

    /** Who is asking, or the refusal as an error; {@code loop} is where the request goes on. */
    Mono<Identity> admit(RequestFacts visit, Executor loop) {
        var counted = limiter.request(visit.tenantNumber(), visit.address(), owner(visit));
        if (counted == null && visit.tokenHash() == null) {
            return identify(visit, RoundTrip.NOTHING);
        }
        return Mono.fromFuture(look(visit, counted, loop), true)
                .flatMap(found -> identify(visit, found))
                .doOnNext(who -> remember(visit, who));
    }

    /** Whose window counts the request, before anybody has looked at its token. */
    private @Nullable UserId owner(RequestFacts visit) {
        return visit.tenant() == null || visit.tokenHash() == null || !limiter.isPerUser(visit.tenantNumber())
                ? null
                : owners.of(visit.tenant().id(), visit.tokenHash());
    }

    private void remember(RequestFacts visit, Identity who) {
        if (who instanceof Known known
                && visit.tenant() != null
                && visit.tokenHash() != null
                && limiter.isPerUser(visit.tenantNumber())) {
            owners.remember(visit.tenant().id(), visit.tokenHash(), known.user());
        }
    }

    private CompletableFuture<RoundTrip> look(RequestFacts visit, @Nullable CountedRequest counted, Executor loop) {
        return redis.ask(() -> question(visit, counted), SCRIPTS)
                .exceptionally(_ -> withoutRedis(counted))
                .thenApplyAsync(found -> found, loop);
    }

    private Batch<RoundTrip> question(RequestFacts visit, @Nullable CountedRequest counted) {
        var commands = new ArrayList<AsyncCommand<String, String, ?>>(2);
        var count = counted == null ? null : limiter.count(counted);
        var time = count == null ? Sessions.time() : null;
        commands.add(count == null ? time : count);
        AsyncCommand<String, String, String> session = null;
        if (visit.tenant() != null && visit.tokenHash() != null) {
            session = Sessions.remembered(visit.tenant().id(), visit.tokenHash());
            commands.add(session);
        }
        var token = session;
        return new Batch<>(commands, () -> found(counted, count, time, token));
    }

    private RoundTrip found(
            @Nullable CountedRequest counted,
            @Nullable AsyncCommand<String, String, List<Object>> count,
            @Nullable AsyncCommand<String, String, List<String>> time,
            @Nullable AsyncCommand<String, String, String> session) {
        var known = session == null ? null : Sessions.read(session.join());
        if (counted != null && count != null) {
            return new RoundTrip(limiter.counted(counted, count.join()), known, RateLimiter.now(count.join()));
        }
        return new RoundTrip(null, known, time == null ? null : Sessions.millis(time.join()));
    }

    private RoundTrip withoutRedis(@Nullable CountedRequest counted) {
        return new RoundTrip(counted == null ? null : limiter.countAlone(counted), null, null);
    }

    private Mono<Identity> identify(RequestFacts visit, RoundTrip found) {
        if (found.verdict != null && !found.verdict.allowed()) {
            return Mono.error(tooMany(found.verdict));
        }
        if (visit.tenant() == null && !visit.destination().isOnAnyHost()) {
            return Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "nobody is served under this host name"));
        }
        if (visit.destination() instanceof Nowhere(var refusal)) {
            return Mono.error(refusal);
        }
        if (visit.tenant() == null || visit.tokenHash() == null) {
            return Mono.just(NOBODY);
        }
        return found.session == null
                ? sessions.resolve(visit.tenant().id(), visit.tokenHash(), visit.client(), found.redisTime)
                : Mono.just(found.session);
    }

    private static ApiException tooMany(Verdict verdict) {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "Too many requests")
                .with("retry_after_ms", verdict.remainingMs())
                .withRetryAfter((int) ((verdict.remainingMs() + MS - 1) / MS));
    }

    /** What the one round trip told; nulls where it was not asked or did not answer. */
    private record RoundTrip(
            @Nullable Verdict verdict,
            @Nullable Known session,
            @Nullable Long redisTime) {
        static final RoundTrip NOTHING = new RoundTrip(null, null, null);
    }
}
