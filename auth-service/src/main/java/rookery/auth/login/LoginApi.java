// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.LoginTokenSettings;
import rookery.auth.password.Password;
import rookery.auth.session.Discovery;
import rookery.auth.session.Session;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/**
 * Login (contract.md 3.1, 3.2). Errors: M_UNKNOWN for another type, M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM for the device
 * ID, M_FORBIDDEN, M_USER_LOCKED, M_USER_DEACTIVATED, M_LIMIT_EXCEEDED.
 */
@RestController
@Access(Level.NONE)
class LoginApi {
    private final PasswordLogin login;
    private final TokenLogin tokens;
    private final LoginTokenSettings loginTokens;
    private final Discovery discovery;

    LoginApi(PasswordLogin login, TokenLogin tokens, LoginTokenSettings loginTokens, Discovery discovery) {
        this.login = login;
        this.tokens = tokens;
        this.loginTokens = loginTokens;
        this.discovery = discovery;
    }

    @GetMapping("/_api/client/v3/login")
    Flows flows(Caller caller) {
        var password = new Flow("m.login.password");
        return new Flows(
                loginTokens.isAdvertised(caller.tenant())
                        ? List.of(password, new Flow("m.login.token"))
                        : List.of(password));
    }

    @PostMapping("/_api/client/v3/login")
    Mono<Session.Result> login(
            Caller caller,
            JsonBody body,
            @RequestHeader(name = "User-Agent", required = false) @Nullable String userAgent) {
        return session(caller, body, userAgent).map(session -> session.result(caller, discovery));
    }

    private Mono<Session> session(Caller caller, JsonBody body, @Nullable String userAgent) {
        return switch (body.string("type")) {
            case "m.login.password" -> {
                var who = LoginIdentifier.of(body, caller.server());
                var password = new Password(body.string("password"));
                yield login.login(caller, who, password, DeviceRequest.of(body).orNamed(userAgent));
            }
            case "m.login.token" ->
                tokens.login(
                        caller.tenant(),
                        body.string("token"),
                        DeviceRequest.of(body).orNamed(userAgent));
            default -> throw new ApiException(ErrorCode.M_UNKNOWN, "there is no such type of login").withStatus(400);
        };
    }

    record Flows(List<Flow> flows) {}

    record Flow(String type) {}
}
