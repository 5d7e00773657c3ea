// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.benmanes.caffeine.cache.Ticker;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.authentication.LeasedSessions.Question;
import rookery.gateway.authentication.SharedQuestions.SharedQuestion;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;

/** Resolves access tokens to sessions: from memory under a lease, from Redis, or from auth-service. */
@Component
public class Sessions {
    private static final Logger log = LoggerFactory.getLogger(Sessions.class);
    private static final String PATH = "/internal/tokens/resolve";

    private final SessionCache cache;
    private final TokenLease lease;
    private final ServiceClient services;
    private final QuestionLine line;
    private final SharedQuestions questions = new SharedQuestions();
    private final UnknownTokens unknown = new UnknownTokens(Ticker.systemTicker());

    Sessions(SessionCache cache, TokenLease lease, ServiceClient services, QuestionProperties properties) {
        this.cache = cache;
        this.lease = lease;
        this.services = services;
        this.line = new QuestionLine(properties.atOnce(), properties.waitingMax(), properties.waitMax());
    }

    /** The session in this gateway's memory, or null if Redis or auth-service has to be asked. */
    public @Nullable Known known(TokenHash token, Client client) {
        return lease.session(token, client.ip);
    }

    /** Whether auth-service has recently answered that the token is unknown. */
    public boolean isUnknown(TokenHash token) {
        return unknown.contains(token);
    }

    /**
     * Sends one question to auth-service for all concurrent requests with this token, and stores a known session in Redis. A
     * failure of auth-service results in 503, never in 401, because clients log out after 401.
     *
     * @param client the client's data for the device list and for administrators; of a shared question, the data of the first
     *     request
     * @param askedAt the time of Redis before this call, or null if Redis is unavailable
     */
    public Mono<Identity> resolve(TokenHash token, Client client, @Nullable Long askedAt) {
        return Mono.defer(() -> questions.ask(token, askedAt, question -> inTurn(question, token, client)));
    }

    private Mono<Identity> inTurn(SharedQuestion question, TokenHash token, Client client) {
        return line.pass(Mono.defer(() -> lookUp(question, token, client)));
    }

    private Mono<Identity> lookUp(SharedQuestion question, TokenHash token, Client client) {
        question.sent();
        var leased = lease.question(client.ip);
        return services.post(
                        "auth-service",
                        token.hex(),
                        PATH,
                        new TokenQuestion(token.tenant(), token.hex(), client.ip, client.userAgent),
                        TokenAnswer.class)
                .doOnNext(answer -> remember(answer, token, leased, question.redisTime()))
                .map(TokenAnswer::identity)
                .onErrorMap(Sessions::unavailable);
    }

    private static ApiException unavailable(Throwable failure) {
        log.atWarn().addKeyValue("cause", failure.toString()).log("an access token could not be checked");
        return ApiException.unavailable("the access token cannot be checked now, try again in a moment");
    }

    /** @param redisTime the time of Redis before the question, or null */
    private void remember(TokenAnswer answer, TokenHash token, @Nullable Question leased, @Nullable Long redisTime) {
        switch (answer.identity()) {
            case Known known -> {
                boolean isKept = leased != null && lease.keep(leased, token, known, answer.lifeNanos());
                if (!isKept && redisTime != null) {
                    cache.keep(token, known, redisTime);
                }
            }
            case Anonymous(var reason) -> {
                if (reason == Reason.UNKNOWN) {
                    unknown.add(token);
                }
            }
            case Locked _ -> {}
        }
    }

    /** The client's address and user agent. */
    public record Client(String ip, @Nullable String userAgent) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TokenQuestion(
            TenantId tenant,
            @JsonProperty("token_hash") String tokenHash,
            String ip,
            @Nullable @JsonProperty("user_agent") String userAgent) {}

    record TokenAnswer(
            String state,
            @Nullable UserId user,
            @Nullable DeviceId device,
            @Nullable Boolean admin,
            @Nullable Boolean suspended,
            @Nullable @JsonProperty("expires_in_ms") Long expiresInMs) {
        long lifeNanos() {
            return expiresInMs == null ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(expiresInMs);
        }

        Identity identity() {
            return switch (state) {
                case "known" ->
                    new Known(
                            Objects.requireNonNull(user),
                            Objects.requireNonNull(device),
                            Boolean.TRUE.equals(admin),
                            Boolean.TRUE.equals(suspended));
                case "expired" -> new Anonymous(Reason.EXPIRED);
                case "locked" -> new Locked(Objects.requireNonNull(user), Objects.requireNonNull(device));
                case "unknown" -> new Anonymous(Reason.UNKNOWN);
                default -> throw new IllegalStateException("auth-service answered an unknown state");
            };
        }
    }
}
