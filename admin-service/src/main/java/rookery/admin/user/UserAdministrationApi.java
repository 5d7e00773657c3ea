// SPDX-License-Identifier: Apache-2.0
package rookery.admin.user;

import java.util.Map;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.user.AccountClient.AccountQuery;
import rookery.admin.user.AccountClient.NewPassword;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * The accounts and their administration, for administrators of the tenant (contract.md 5.2, 5.3). Errors: M_FORBIDDEN for other
 * users before any lookup, M_INVALID_PARAM for ids of other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin")
public class UserAdministrationApi {
    private final AccountClient accounts;
    private final Audit audit;

    UserAdministrationApi(AccountClient accounts, Audit audit) {
        this.accounts = accounts;
        this.audit = audit;
    }

    @GetMapping("/whois/{userId}")
    public Mono<ObjectNode> whois(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return audit.recorded(caller, "whois", userId, accounts.whois(caller.tenant(), user));
    }

    /** All accounts, including deactivated ones; {@code limit} divides the list into pages (contract.md 5.2). */
    @GetMapping("/users")
    public Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var page = ListQuery.of(query, "user_id", "created_at", "last_seen_ts", "device_count");
        var filter = new AccountQuery(
                caller.tenant(),
                page.search(),
                ListQuery.flag(query, "admin"),
                ListQuery.flag(query, "deactivated"),
                ListQuery.flag(query, "blocked"),
                ListQuery.flag(query, "suspended"),
                ListQuery.flag(query, "approved"));
        var lines = accounts.list(filter, page);
        return audit.recorded(caller, "list users", "", ListDocument.of("users", lines));
    }

    @GetMapping("/users/{userId}")
    public Mono<ObjectNode> find(Caller caller, @PathVariable String userId) {
        return audit.recorded(caller, "see user", userId, accounts.find(caller.tenant(), Local.user(caller, userId)));
    }

    /** The mail addresses and phone numbers of the account. */
    @GetMapping("/users/{userId}/threepids")
    public Mono<ObjectNode> threepids(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        var found =
                accounts.find(caller.tenant(), user).then(Mono.defer(() -> accounts.threepids(caller.tenant(), user)));
        return audit.recorded(caller, "see addresses", userId, found);
    }

    /**
     * Irreversible: deletes the account's sessions, devices and addresses, leaves its rooms, and never assigns its name again.
     */
    @PostMapping("/users/{userId}/deactivate")
    public Mono<Map<String, String>> deactivate(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var act = accounts.deactivate(caller.tenant(), user, body.boolOr("erase", false));
        return audit.recorded(caller, "deactivate", userId, act)
                .thenReturn(Map.of("id_server_unbind_result", "no-support"));
    }

    /** Until unblocked, the account keeps its data and can only log out. */
    @PostMapping("/users/{userId}/block")
    public Mono<Map<String, String>> block(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return done(caller, "block", userId, accounts.block(caller.tenant(), user, caller.user()));
    }

    @PostMapping("/users/{userId}/unblock")
    public Mono<Map<String, String>> unblock(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return done(caller, "unblock", userId, accounts.unblock(caller.tenant(), user, caller.user()));
    }

    /** Admits an account that waits for approval (contract.md 3.3). Idempotent. */
    @PostMapping("/users/{userId}/approve")
    public Mono<Map<String, String>> approve(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return done(caller, "approve", userId, accounts.approve(caller.tenant(), user, caller.user()));
    }

    /** Gives the account another password, and ends its sessions unless {@code logout_devices} is false. */
    @PostMapping("/users/{userId}/password")
    public Mono<Map<String, String>> resetPassword(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var password = new NewPassword(body.string("new_password"), body.boolOr("logout_devices", true));
        return done(
                caller, "reset password", userId, accounts.setPassword(caller.tenant(), user, password, caller.user()));
    }

    /** Makes the account an administrator, or a user again unless the account is the last administrator. */
    @PutMapping("/users/{userId}/admin")
    public Mono<Map<String, String>> setAdmin(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        boolean admin = body.bool("admin");
        var act = accounts.setAdmin(caller.tenant(), user, admin, caller.user());
        return done(caller, admin ? "promote" : "demote", userId, act);
    }

    private Mono<Map<String, String>> done(Caller caller, String action, String target, Mono<ObjectNode> act) {
        return audit.recorded(caller, action, target, act).thenReturn(Map.of());
    }
}
