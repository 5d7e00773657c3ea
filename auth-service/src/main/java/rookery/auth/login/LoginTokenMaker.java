// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.LoginTokenProperties;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Interactive;
import rookery.auth.login.LoginTokenApi.LoginTokenAnswer;
import rookery.auth.session.TokenMinter;
import rookery.model.caller.Caller;

/** Creates a login token in the transaction that uses up the authentication. */
@Component
class LoginTokenMaker {
    private final Interactive interactive;
    private final LoginTokens tokens;
    private final TokenMinter minter;
    private final LoginTokenProperties properties;
    private final TransactionalOperator tx;

    LoginTokenMaker(
            Interactive interactive,
            LoginTokens tokens,
            TokenMinter minter,
            LoginTokenProperties properties,
            TransactionalOperator tx) {
        this.interactive = interactive;
        this.tokens = tokens;
        this.minter = minter;
        this.properties = properties;
        this.tx = tx;
    }

    Mono<LoginTokenAnswer> made(Caller caller, Passed passed) {
        String token = minter.loginToken();
        return interactive
                .consume(caller.tenant(), passed, caller.user(), null)
                .filter(mayRun -> mayRun)
                .flatMap(_ -> tokens.insert(caller.tenant(), caller.user(), token, properties.life())
                        .thenReturn(
                                new LoginTokenAnswer(token, properties.life().toMillis())))
                .as(tx::transactional);
    }
}
