// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.session.Revocations;
import rookery.auth.session.Session;
import rookery.auth.session.SessionRequest;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.auth.session.Sessions;
import rookery.auth.session.Sessions.OpenedSession;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Login with a single-use token, which is deleted in the transaction that opens the session. */
@Component
class TokenLogin {
    private final LoginTokens tokens;
    private final Accounts accounts;
    private final Sessions sessions;
    private final Revocations revocations;
    private final TransactionalOperator tx;

    TokenLogin(
            LoginTokens tokens,
            Accounts accounts,
            Sessions sessions,
            Revocations revocations,
            TransactionalOperator tx) {
        this.tokens = tokens;
        this.accounts = accounts;
        this.sessions = sessions;
        this.revocations = revocations;
        this.tx = tx;
    }

    /** Errors: M_FORBIDDEN, M_USER_DEACTIVATED, M_USER_LOCKED. */
    Mono<Session> login(TenantId tenant, String token, DeviceRequest deviceRequest) {
        return tokens.take(tenant, token)
                .flatMap(user -> opened(tenant, user, deviceRequest))
                .as(tx::transactional)
                .switchIfEmpty(Mono.error(PasswordLogin::refused))
                .flatMap(opened -> revocations.announce(tenant, opened));
    }

    private Mono<OpenedSession> opened(TenantId tenant, UserId user, DeviceRequest deviceRequest) {
        return accounts.hold(tenant, user)
                .doOnNext(Account::requireActive)
                .flatMap(_ -> sessions.open(new SessionRequest(tenant, user, deviceRequest, false)));
    }
}
