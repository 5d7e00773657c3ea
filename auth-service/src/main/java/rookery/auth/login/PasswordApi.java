// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordRules;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/**
 * Changes a password (contract.md 3.5): the caller's, or the one of the account whose email address or phone number the
 * caller has validated. Errors: 401 with the next stage, M_WEAK_PASSWORD, M_MISSING_PARAM, M_BAD_JSON, M_FORBIDDEN,
 * M_USER_LOCKED, M_USER_DEACTIVATED.
 */
@RestController
@Access(Level.OPTIONAL)
class PasswordApi {
    private final Interactive interactive;
    private final PasswordChanger changer;

    PasswordApi(Interactive interactive, PasswordChanger changer) {
        this.interactive = interactive;
        this.changer = changer;
    }

    @PostMapping("/_api/client/v3/account/password")
    Mono<ResponseEntity<Object>> change(Caller caller, JsonBody body) {
        requireFields(caller, body);
        var flows = caller.known() == null ? interactive.addressFlows(caller.tenant()) : Flows.PASSWORD;
        return interactive.guarded(
                caller, Operation.CHANGE_PASSWORD, flows, body, passed -> changer.change(caller, passed));
    }

    /** Validates the fields before a session stores them. A later request of the session may omit the fields. */
    private static void requireFields(Caller caller, JsonBody body) {
        var _ = body.optionalBool("logout_devices");
        var auth = body.optionalObject("auth");
        String password = body.optionalString("new_password");
        var login = caller.known();
        if (password != null) {
            PasswordRules.requireStrong(new Password(password), login == null ? null : login.user());
        } else if (auth == null || !auth.has("session")) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field new_password is missing");
        }
    }
}
