// SPDX-License-Identifier: Apache-2.0
package rookery.admin.registration;

import java.util.Map;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tenant's registration tokens for its administrators (contract.md 5.2, 5.3). Errors: M_FORBIDDEN for other users before any
 * lookup, M_NOT_FOUND, M_INVALID_PARAM, M_BAD_JSON.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin/registration_tokens")
public class RegistrationTokenAdministrationApi {
    private final RegistrationTokenClient tokens;
    private final Audit audit;

    RegistrationTokenAdministrationApi(RegistrationTokenClient tokens, Audit audit) {
        this.tokens = tokens;
        this.audit = audit;
    }

    @GetMapping
    public Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var lines = tokens.list(caller.tenant(), ListQuery.of(query));
        return audit.recorded(caller, "list registration tokens", "", ListDocument.of("registration_tokens", lines));
    }

    /** Only this answer has the token's text. M_FORBIDDEN for a token that makes an administrator. */
    @PostMapping
    public Mono<ObjectNode> make(Caller caller, JsonBody body) {
        var terms = TokenTerms.of(body);
        var made = terms.grantsAdmin() ? Mono.<ObjectNode>error(forbidden()) : tokens.make(caller.tenant(), terms);
        return audit.recorded(caller, "make registration token", "", made);
    }

    private static ApiException forbidden() {
        return new ApiException(
                ErrorCode.M_FORBIDDEN,
                "only operators make tokens of administrators: promote the user after registration");
    }

    @GetMapping("/{id}")
    public Mono<ObjectNode> find(Caller caller, @PathVariable String id) {
        return audit.recorded(caller, "see registration token", id, tokens.find(caller.tenant(), id));
    }

    @DeleteMapping("/{id}")
    public Mono<Map<String, String>> revoke(Caller caller, @PathVariable String id) {
        return audit.recorded(caller, "revoke registration token", id, tokens.revoke(caller.tenant(), id))
                .thenReturn(Map.of());
    }
}
