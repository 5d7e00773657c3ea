// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.registration.Registration.Awaiting;
import rookery.auth.registration.Registration.Challenged;
import rookery.auth.registration.Registration.Progress;
import rookery.auth.registration.Registration.Registered;
import rookery.auth.session.Discovery;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/**
 * Registration (contract.md 3.1, 3.3, example 16.1). Errors: M_USER_IN_USE, M_INVALID_USERNAME, M_EXCLUSIVE, M_WEAK_PASSWORD,
 * M_MISSING_PARAM, M_INVALID_PARAM, M_FORBIDDEN in mode closed, USER_AWAITING_APPROVAL in mode approval, M_THREEPID_IN_USE, M_GUEST_ACCESS_FORBIDDEN.
 */
@RestController
@Access(Level.NONE)
class RegisterApi {
    private final Registration registration;
    private final RegistrationRules rules;
    private final Registrar registrar;
    private final Discovery discovery;

    RegisterApi(Registration registration, RegistrationRules rules, Registrar registrar, Discovery discovery) {
        this.registration = registration;
        this.rules = rules;
        this.registrar = registrar;
        this.discovery = discovery;
    }

    @PostMapping("/_api/client/v3/register")
    Mono<ResponseEntity<Object>> register(
            Caller caller, @RequestParam(defaultValue = "user") String kind, JsonBody body) {
        requireUser(kind);
        return registration.next(caller, body).map(progress -> answer(progress, caller));
    }

    @GetMapping("/_api/client/v3/register/available")
    Mono<Map<String, Boolean>> available(Caller caller, @RequestParam String username) {
        rules.requireOpen(caller.tenant());
        return Mono.fromSupplier(() -> rules.requireName(username, caller))
                .flatMap(user -> registrar.requireFree(caller.tenant(), user))
                .thenReturn(Map.of("available", true))
                .onErrorMap(ApiException.class, refusal -> refusal.with("available", false));
    }

    private static void requireUser(String kind) {
        switch (kind) {
            case "user" -> {}
            case "guest" ->
                throw new ApiException(
                        ErrorCode.M_GUEST_ACCESS_FORBIDDEN, "there are no guests here, register an account");
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "kind is user or guest");
        }
    }

    private ResponseEntity<Object> answer(Progress progress, Caller caller) {
        return switch (progress) {
            case Challenged(var challenge) -> challenge.answer();
            case Awaiting _ -> throw ApiException.awaitingApproval();
            case Registered(var user, var session) ->
                ResponseEntity.ok(
                        session == null ? new Account(user, caller.server()) : session.result(caller, discovery));
        };
    }

    /** The answer for {@code inhibit_login}. */
    record Account(
            @JsonProperty("user_id") UserId user,
            @JsonProperty("home_server") ServerName homeServer) {}
}
