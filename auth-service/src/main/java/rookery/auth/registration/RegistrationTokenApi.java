// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The validity of a registration token (contract.md 3.5). Errors: M_FORBIDDEN in mode closed, M_MISSING_PARAM. */
@RestController
@Access(Level.NONE)
class RegistrationTokenApi {
    private final RegistrationRules rules;
    private final RegistrationTokens tokens;

    RegistrationTokenApi(RegistrationRules rules, RegistrationTokens tokens) {
        this.rules = rules;
        this.tokens = tokens;
    }

    @GetMapping("/_api/client/v1/register/m.login.registration_token/validity")
    Mono<Map<String, Boolean>> validity(Caller caller, @RequestParam String token) {
        rules.requireOpen(caller.tenant());
        return tokens.isGood(caller.tenant(), token).map(good -> Map.of("valid", good));
    }
}
