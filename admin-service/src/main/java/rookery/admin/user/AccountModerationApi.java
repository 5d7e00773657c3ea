// SPDX-License-Identifier: Apache-2.0
package rookery.admin.user;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * The specification's endpoints that suspend and lock accounts (contract.md 5.5). A lock is the same as a block by
 * {@link UserAdministrationApi}. Errors: M_FORBIDDEN for callers who are not administrators before any lookup, and for
 * targets who are administrators; M_INVALID_PARAM for ids of other servers; M_NOT_FOUND, also for deactivated users;
 * M_MISSING_PARAM, M_BAD_JSON.
 */
@RestController
@Access(Level.ADMIN)
public class AccountModerationApi {
    private static final String SUSPEND = "/_api/client/v1/admin/suspend/{userId}";
    private static final String LOCK = "/_api/client/v1/admin/lock/{userId}";
    private static final String SUSPENDED = "suspended";
    private static final String LOCKED = "locked";

    private final AccountClient accounts;
    private final Audit audit;

    AccountModerationApi(AccountClient accounts, Audit audit) {
        this.accounts = accounts;
        this.audit = audit;
    }

    @GetMapping(SUSPEND)
    public Mono<Map<String, Boolean>> suspended(Caller caller, @PathVariable String userId) {
        return state(caller, "see suspension", userId).map(account -> Map.of(SUSPENDED, isSet(account, SUSPENDED)));
    }

    @PutMapping(SUSPEND)
    public Mono<Map<String, Boolean>> suspend(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        boolean suspended = body.bool(SUSPENDED);
        var act = accounts.setSuspended(caller.tenant(), user, suspended, caller.user());
        return audit.recorded(caller, suspended ? "suspend" : "unsuspend", userId, act)
                .thenReturn(Map.of(SUSPENDED, suspended));
    }

    @GetMapping(LOCK)
    public Mono<Map<String, Boolean>> locked(Caller caller, @PathVariable String userId) {
        return state(caller, "see lock", userId).map(account -> Map.of(LOCKED, isSet(account, "blocked")));
    }

    @PutMapping(LOCK)
    public Mono<Map<String, Boolean>> lock(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        boolean locked = body.bool(LOCKED);
        var act = locked
                ? accounts.block(caller.tenant(), user, caller.user())
                : moderable(caller, user).then(Mono.defer(() -> unlocked(caller, user)));
        return audit.recorded(caller, locked ? "block" : "unblock", userId, act).thenReturn(Map.of(LOCKED, locked));
    }

    private Mono<ObjectNode> unlocked(Caller caller, UserId user) {
        return user.equals(caller.user())
                ? Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "nobody may unlock themselves"))
                : accounts.unblock(caller.tenant(), user, caller.user());
    }

    private Mono<ObjectNode> state(Caller caller, String action, String userId) {
        return audit.recorded(caller, action, userId, moderable(caller, Local.user(caller, userId)));
    }

    /** The account; M_NOT_FOUND if deactivated, M_FORBIDDEN for an administrator other than the caller. */
    private Mono<ObjectNode> moderable(Caller caller, UserId user) {
        return accounts.find(caller.tenant(), user)
                .filter(account -> !isSet(account, "deactivated"))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user")))
                .filter(account -> user.equals(caller.user()) || !isSet(account, "admin"))
                .switchIfEmpty(Mono.error(() ->
                        new ApiException(ErrorCode.M_FORBIDDEN, "administrators can be neither suspended nor locked")));
    }

    private static boolean isSet(ObjectNode account, String field) {
        return account.path(field).booleanValue(false);
    }
}
