// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.LoginTokenSettings;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;

/**
 * Creates a token for logging in another device (contract.md 1, D7 and 3.1). The gateway maps all three paths to this one.
 * Errors: 401 with the next stage, M_UNRECOGNIZED if the tenant has login tokens disabled.
 */
@RestController
class LoginTokenApi {
    private final Interactive interactive;
    private final LoginTokenMaker maker;
    private final LoginTokenSettings settings;

    LoginTokenApi(Interactive interactive, LoginTokenMaker maker, LoginTokenSettings settings) {
        this.interactive = interactive;
        this.maker = maker;
        this.settings = settings;
    }

    @PostMapping("/_api/client/v1/login/get_token")
    Mono<ResponseEntity<Object>> token(Caller caller, JsonBody body) {
        if (!settings.isEnabled(caller.tenant())) {
            throw new ApiException(ErrorCode.M_UNRECOGNIZED, "login tokens are switched off here").withStatus(400);
        }
        return interactive.guarded(
                caller, Operation.LOGIN_TOKEN, Flows.PASSWORD, body, passed -> maker.made(caller, passed));
    }

    /** @param expiresInMs the remaining life in ms */
    record LoginTokenAnswer(
            @JsonProperty("login_token") String token,
            @JsonProperty("expires_in_ms") long expiresInMs) {
        @Override
        public String toString() {
            return "Minted"; // without the token
        }
    }
}
