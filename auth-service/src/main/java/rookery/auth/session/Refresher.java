// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.session.AccessTokens.Pair;
import rookery.auth.session.AccessTokens.Refreshable;
import rookery.auth.session.Sessions.OpenedSession;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/**
 * Replaces a pair of tokens by its successor (contract.md 3.1). Until the successor is used, the old refresh token makes another
 * successor, so a lost answer does not end the session. Afterwards the old refresh token is refused.
 */
@Component
class Refresher {
    private static final Logger log = LoggerFactory.getLogger(Refresher.class);

    private final AccessTokens tokens;
    private final TokenMinter minter;
    private final Revocations revocations;
    private final SessionProperties properties;
    private final Clock clock;
    private final TransactionalOperator tx;

    Refresher(
            AccessTokens tokens,
            TokenMinter minter,
            Revocations revocations,
            SessionProperties properties,
            Clock clock,
            TransactionalOperator tx) {
        this.tokens = tokens;
        this.minter = minter;
        this.revocations = revocations;
        this.properties = properties;
        this.clock = clock;
        this.tx = tx;
    }

    /** @param access the access token of the pair, or null on the path of the specification, which does not require one */
    Mono<Session> refresh(TenantId tenant, TokenHash refresh, @Nullable TokenHash access) {
        return tokens.lockRefreshable(tenant, refresh)
                .switchIfEmpty(Mono.error(() -> refused("this session has ended", false)))
                .flatMap(pair -> succeeded(tenant, pair, access))
                .as(tx::transactional)
                .flatMap(opened -> revocations.announce(tenant, opened));
    }

    private Mono<OpenedSession> succeeded(TenantId tenant, Refreshable pair, @Nullable TokenHash access) {
        if (pair.blocked()) {
            return Mono.error(
                    new ApiException(ErrorCode.M_USER_LOCKED, "this account is locked").with("soft_logout", true));
        }
        if (access != null && !access.equals(pair.access())) {
            return Mono.error(refused("the access token does not belong to the refresh token", false));
        }
        if (!pair.expires().isAfter(clock.instant())) {
            return Mono.error(refused("the refresh token has expired", true));
        }
        return discarded(tenant, pair).flatMap(free -> free ? renewed(tenant, pair) : Mono.error(reused(pair)));
    }

    /** True if no successor is left. An unused successor is deleted, a used one is kept. */
    private Mono<Boolean> discarded(TenantId tenant, Refreshable pair) {
        var successor = pair.successor();
        if (successor == null) {
            return Mono.just(true);
        }
        return pair.successorUsed() ? Mono.just(false) : tokens.deleteUnused(tenant, successor);
    }

    private Mono<OpenedSession> renewed(TenantId tenant, Refreshable pair) {
        var session = new Session(
                pair.user(),
                pair.device(),
                minter.accessToken(),
                minter.refreshToken(),
                properties.accessTokenLife().toMillis());
        var successor = Pair.of(session, clock.instant(), properties);
        return tokens.insert(tenant, successor)
                .then(Mono.defer(() -> tokens.succeed(tenant, pair.access(), successor.access())))
                .thenReturn(new OpenedSession(session, replaced(pair)));
    }

    private static List<TokenHash> replaced(Refreshable pair) {
        var replaced = new ArrayList<TokenHash>();
        replaced.add(pair.access());
        if (pair.successor() != null) {
            replaced.add(pair.successor());
        }
        return replaced;
    }

    private static ApiException reused(Refreshable pair) {
        log.atWarn()
                .addKeyValue("user", pair.user().value())
                .addKeyValue("device", pair.device().value())
                .log("a refresh token was used again after its successor");
        return refused("the refresh token was replaced by a newer one", true);
    }

    private static ApiException refused(String reason, boolean softLogout) {
        return new ApiException(ErrorCode.M_UNKNOWN_TOKEN, reason).with("soft_logout", softLogout);
    }
}
