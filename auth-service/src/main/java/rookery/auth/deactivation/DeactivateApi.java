// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.login.ProvenOwner;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/**
 * Deactivates an account (contract.md 3.5): the caller's, or the account whose email address or phone number the caller has
 * validated. Errors: 401 with the next stage, M_BAD_JSON, M_FORBIDDEN for the tenant's last administrator, M_USER_LOCKED.
 */
@RestController
@Access(Level.OPTIONAL)
class DeactivateApi {
    private final Interactive interactive;
    private final ProvenOwner owner;
    private final Deactivator deactivator;

    DeactivateApi(Interactive interactive, ProvenOwner owner, Deactivator deactivator) {
        this.interactive = interactive;
        this.owner = owner;
        this.deactivator = deactivator;
    }

    @PostMapping("/_api/client/v3/account/deactivate")
    Mono<ResponseEntity<Object>> deactivate(Caller caller, JsonBody body) {
        var _ = body.optionalBool("erase");
        var flows = caller.known() == null ? interactive.addressFlows(caller.tenant()) : Flows.PASSWORD;
        return interactive.guarded(caller, Operation.DEACTIVATE, flows, body, passed -> deactivated(caller, passed));
    }

    private Mono<DeactivationAnswer> deactivated(Caller caller, Passed passed) {
        var tenant = caller.tenant();
        var login = caller.known();
        boolean erase = passed.parameters().boolOr("erase", false);
        if (login != null) {
            return deactivator.own(
                    tenant, login.user(), erase, () -> interactive.consume(tenant, passed, login.user(), null));
        }
        return owner.of(tenant, passed)
                .flatMap(user -> deactivator.own(
                        tenant,
                        user,
                        erase,
                        () -> owner.still(tenant, passed, user)
                                .flatMap(_ -> interactive.consume(tenant, passed, user, null))));
    }
}
