// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListQuery;
import rookery.admin.synapse.UserChange.Approve;
import rookery.admin.synapse.UserChange.Deactivate;
import rookery.admin.synapse.UserChange.SetAdmin;
import rookery.admin.synapse.UserChange.SetLocked;
import rookery.admin.synapse.UserChange.SetPassword;
import rookery.admin.synapse.UserChange.SetProfile;
import rookery.admin.synapse.UserChange.Step;
import rookery.admin.user.AccountClient;
import rookery.admin.user.AccountClient.AccountQuery;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ListOrder;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists, shows, makes and changes accounts (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM
 * for ids of other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin")
class SynapseUserApi {
    private static final String USER = "/v2/users/{userId}";
    private static final OffsetDocument USERS =
            new OffsetDocument("users", "total", "next_token", null, true, SynapseUser::of);

    private static final Map<String, ListOrder> ORDERS = Map.of(
            "creation_ts", new ListOrder("created_at", false),
            "last_seen_ts", new ListOrder("last_seen_ts", false),
            "name", new ListOrder("user_id", false));

    private final AccountClient accounts;
    private final OffsetLists lists;
    private final Audit audit;

    SynapseUserApi(AccountClient accounts, OffsetLists lists, Audit audit) {
        this.accounts = accounts;
        this.lists = lists;
        this.audit = audit;
    }

    /** Without deactivated accounts, unless {@code deactivated} is true. */
    @GetMapping("/v2/users")
    Flux<String> activeUsers(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        boolean all = Boolean.TRUE.equals(ListQuery.flag(query, "deactivated"));
        return list(caller, query, all ? null : false);
    }

    /** All accounts; {@code deactivated} selects deactivated or active accounts. */
    @GetMapping("/v3/users")
    Flux<String> users(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        return list(caller, query, ListQuery.flag(query, "deactivated"));
    }

    private Flux<String> list(Caller caller, MultiValueMap<String, String> query, @Nullable Boolean deactivated) {
        OffsetQuery.refuse(query, "not_user_type");
        if (Boolean.TRUE.equals(ListQuery.flag(query, "shadow_banned"))) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "there are no shadow bans");
        }
        var page = OffsetQuery.of(query, "name", "user_id");
        var filter = new AccountQuery(
                caller.tenant(),
                page.search(),
                ListQuery.flag(query, "admins"),
                deactivated,
                Boolean.TRUE.equals(ListQuery.flag(query, "locked")) ? null : false,
                ListQuery.flag(query, "suspended"),
                ListQuery.flag(query, "approved"));
        return audit.recorded(
                caller, "list users", "", USERS.of(page, lists.users(filter, page, OffsetQuery.order(query, ORDERS))));
    }

    @GetMapping(USER)
    Mono<ObjectNode> user(Caller caller, @PathVariable String userId) {
        return shown(caller, Local.user(caller, userId));
    }

    /**
     * Makes an account, which needs a password, or changes the fields of an account that differ. Each change is recorded and made
     * for itself: the first refused one ends the request.
     */
    @PutMapping(USER)
    Mono<ResponseEntity<ObjectNode>> put(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var change = UserChange.of(body);
        return existing(caller, user)
                .flatMap(account -> changed(caller, user, change, account).thenReturn(HttpStatus.OK))
                .switchIfEmpty(Mono.defer(() -> created(caller, user, change).thenReturn(HttpStatus.CREATED)))
                .flatMap(status -> shown(caller, user)
                        .map(account -> ResponseEntity.status(status).body(account)));
    }

    private Mono<ObjectNode> shown(Caller caller, UserId user) {
        return audit.recorded(caller, "see user", user.value(), accounts.find(caller.tenant(), user))
                .map(SynapseUser::inDetail);
    }

    private Mono<ObjectNode> existing(Caller caller, UserId user) {
        return accounts.find(caller.tenant(), user)
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        _ -> Mono.empty());
    }

    private Mono<Void> created(Caller caller, UserId user, UserChange change) {
        var password = change.password();
        if (Boolean.FALSE.equals(change.approved())) {
            return Mono.error(
                    new ApiException(ErrorCode.M_INVALID_PARAM, "an account that an administrator makes is approved"));
        }
        if (password == null) {
            return Mono.error(new ApiException(ErrorCode.M_MISSING_PARAM, "a new account needs a password"));
        }
        var act = accounts.createUser(caller.tenant(), user, password.value());
        return audit.recorded(caller, "create user", user.value(), act)
                .then(Mono.defer(() -> accounts.find(caller.tenant(), user)))
                .flatMap(account -> changed(caller, user, change.withoutPassword(), account));
    }

    private Mono<Void> changed(Caller caller, UserId user, UserChange change, ObjectNode account) {
        return Flux.fromIterable(change.steps(account))
                .concatMap(step -> changed(caller, user, step))
                .then();
    }

    private Mono<ObjectNode> changed(Caller caller, UserId user, Step step) {
        var tenant = caller.tenant();
        return switch (step) {
            case SetProfile(var key, var value) ->
                recorded(caller, "set " + key, user, accounts.setProfile(tenant, user, key, value));
            case SetPassword(var password) ->
                recorded(caller, "reset password", user, accounts.setPassword(tenant, user, password, caller.user()));
            case SetAdmin(var admin) ->
                recorded(
                        caller,
                        admin ? "promote" : "demote",
                        user,
                        accounts.setAdmin(tenant, user, admin, caller.user()));
            case SetLocked(var locked) ->
                locked
                        ? recorded(caller, "block", user, accounts.block(tenant, user, caller.user()))
                        : recorded(caller, "unblock", user, accounts.unblock(tenant, user, caller.user()));
            case Approve() -> recorded(caller, "approve", user, accounts.approve(tenant, user, caller.user()));
            case Deactivate() -> recorded(caller, "deactivate", user, accounts.deactivate(tenant, user, false));
        };
    }

    private Mono<ObjectNode> recorded(Caller caller, String action, UserId user, Mono<ObjectNode> act) {
        return audit.recorded(caller, action, user.value(), act);
    }
}
