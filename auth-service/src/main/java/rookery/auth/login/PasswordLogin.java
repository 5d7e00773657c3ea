// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.account.PasswordCheck;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures.Guesser;
import rookery.auth.session.Revocations;
import rookery.auth.session.Session;
import rookery.auth.session.SessionRequest;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.auth.session.Sessions;
import rookery.auth.session.Sessions.OpenedSession;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Login with a password. The error never tells whether the user exists (contract.md 3.1). */
@Component
class PasswordLogin {
    private final UserLookup users;
    private final PasswordCheck check;
    private final Accounts accounts;
    private final Sessions sessions;
    private final Revocations revocations;
    private final TransactionalOperator tx;

    PasswordLogin(
            UserLookup users,
            PasswordCheck check,
            Accounts accounts,
            Sessions sessions,
            Revocations revocations,
            TransactionalOperator tx) {
        this.users = users;
        this.check = check;
        this.accounts = accounts;
        this.sessions = sessions;
        this.revocations = revocations;
        this.tx = tx;
    }

    /** Errors: M_FORBIDDEN, M_USER_DEACTIVATED, M_USER_LOCKED, M_LIMIT_EXCEEDED. */
    Mono<Session> login(Caller caller, LoginIdentifier who, Password password, DeviceRequest deviceRequest) {
        var tenant = caller.tenant();
        return passed(caller, who, password)
                .switchIfEmpty(Mono.error(PasswordLogin::refused))
                .flatMap(account -> opened(account, deviceRequest).as(tx::transactional))
                .flatMap(opened -> revocations.announce(tenant, opened));
    }

    private Mono<Account> passed(Caller caller, LoginIdentifier who, Password password) {
        return users.find(caller.tenant(), who)
                .flatMap(user -> Mono.just(check.passed(new Guesser(caller.tenant(), user, caller.ip()), password)))
                .defaultIfEmpty(check.failed(caller.tenant(), password))
                .flatMap(checked -> checked);
    }

    /** Locks the account and checks again: a concurrent block, deactivation or change of the password leaves no session. */
    private Mono<OpenedSession> opened(Account checked, DeviceRequest deviceRequest) {
        return accounts.hold(checked.tenant(), checked.user())
                .filter(account -> Objects.equals(account.passwordHash(), checked.passwordHash()))
                .switchIfEmpty(Mono.error(PasswordLogin::refused))
                .doOnNext(Account::requireActive)
                .flatMap(account ->
                        sessions.open(new SessionRequest(account.tenant(), account.user(), deviceRequest, true)));
    }

    static ApiException refused() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "wrong user name or password");
    }
}
