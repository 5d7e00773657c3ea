// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.PasswordCheck;
import rookery.auth.interactive.Stage;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures.Guesser;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/** The stage {@code m.login.password} for the caller's own password; a wrong password counts as a failed login. */
@Component
class PasswordStage implements Stage {
    private final UserLookup users;
    private final PasswordCheck check;

    PasswordStage(UserLookup users, PasswordCheck check) {
        this.users = users;
        this.check = check;
    }

    @Override
    public String type() {
        return PASSWORD;
    }

    /** M_FORBIDDEN for an identifier of another user, M_MISSING_PARAM, M_BAD_JSON, M_LIMIT_EXCEEDED. */
    @Override
    public Mono<Proof> pass(Trial trial) {
        var who = LoginIdentifier.of(trial.auth(), trial.server());
        var password = new Password(trial.auth().string("password"));
        return users.find(trial.tenant(), who)
                .filter(user -> user.equals(trial.user()))
                .switchIfEmpty(Mono.error(PasswordStage::anothers))
                .flatMap(user -> passed(trial, user, password));
    }

    private Mono<Proof> passed(Trial trial, UserId user, Password password) {
        return check.passed(new Guesser(trial.tenant(), user, trial.ip()), password)
                .map(_ -> Proof.OF_NOTHING);
    }

    private static ApiException anothers() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "authenticate with the password of the logged-in user");
    }
}
