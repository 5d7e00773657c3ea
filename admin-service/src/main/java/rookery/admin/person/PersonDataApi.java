// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.model.caller.Caller;
import rookery.model.id.TenantUser;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/**
 * One person's data as a ZIP, for administrators of the tenant (contract.md 5.6). Errors: M_FORBIDDEN for other users before any
 * lookup, M_INVALID_PARAM for ids of other servers, M_NOT_FOUND, M_LIMIT_EXCEEDED.
 */
@RestController
@Access(Level.ADMIN)
public class PersonDataApi {
    private final PersonExports exports;
    private final Audit audit;

    PersonDataApi(PersonExports exports, Audit audit) {
        this.exports = exports;
        this.audit = audit;
    }

    @GetMapping("/_api/client/v3/admin/users/{userId}/data")
    public Mono<Void> data(Caller caller, @PathVariable String userId, ServerWebExchange exchange) {
        var person = new TenantUser(caller.tenant(), Local.user(caller, userId));
        var response = exchange.getResponse();
        return response.writeWith(audit.recorded(
                caller, "export data", userId, exports.of(person, caller.user().value(), response)));
    }
}
