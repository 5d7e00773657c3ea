// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.user.AccountClient;
import rookery.admin.user.AccountClient.NewPassword;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Single acts on accounts, and questions about them (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, and as
 * in contract.md 5.3 and 5.5; M_INVALID_PARAM for ids of other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1")
class SynapseAccountApi {
    private static final String ADMIN = "/users/{userId}/admin";

    private final AccountClient accounts;
    private final Audit audit;

    SynapseAccountApi(AccountClient accounts, Audit audit) {
        this.accounts = accounts;
        this.audit = audit;
    }

    @GetMapping("/whois/{userId}")
    Mono<ObjectNode> whois(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return audit.recorded(caller, "whois", userId, accounts.whois(caller.tenant(), user))
                .map(SynapseAccountApi::ofOneDevice);
    }

    /** Synapse has the connections of all devices in one device without an id, and tools read no other. */
    private static ObjectNode ofOneDevice(ObjectNode whois) {
        var answer = JsonNodeFactory.instance.objectNode();
        answer.set("user_id", whois.path("user_id"));
        var connections = answer.putObject("devices")
                .putObject("")
                .putArray("sessions")
                .addObject()
                .putArray("connections");
        for (var device : whois.path("devices")) {
            for (var session : device.path("sessions")) {
                session.path("connections").forEach(connections::add);
            }
        }
        return answer;
    }

    /** Irreversible. */
    @PostMapping("/deactivate/{userId}")
    Mono<Map<String, String>> deactivate(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var act = accounts.deactivate(caller.tenant(), user, body.boolOr("erase", false));
        return audit.recorded(caller, "deactivate", userId, act)
                .thenReturn(Map.of("id_server_unbind_result", "no-support"));
    }

    @PostMapping("/reset_password/{userId}")
    Mono<Map<String, String>> resetPassword(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var password = new NewPassword(body.string("new_password"), body.boolOr("logout_devices", true));
        var act = accounts.setPassword(caller.tenant(), user, password, caller.user());
        return audit.recorded(caller, "reset password", userId, act).thenReturn(Map.of());
    }

    @PutMapping("/suspend/{userId}")
    Mono<Map<String, Boolean>> suspend(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        boolean suspended = body.bool("suspend");
        var act = accounts.setSuspended(caller.tenant(), user, suspended, caller.user());
        return audit.recorded(caller, suspended ? "suspend" : "unsuspend", userId, act)
                .thenReturn(Map.of("user_" + userId + "_suspended", suspended));
    }

    @GetMapping(ADMIN)
    Mono<Map<String, Boolean>> admin(Caller caller, @PathVariable String userId) {
        var account = accounts.find(caller.tenant(), Local.user(caller, userId));
        return audit.recorded(caller, "see user", userId, account)
                .map(found -> Map.of("admin", found.path("admin").booleanValue(false)));
    }

    @PutMapping(ADMIN)
    Mono<Map<String, String>> setAdmin(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        boolean admin = body.bool("admin");
        var act = accounts.setAdmin(caller.tenant(), user, admin, caller.user());
        return audit.recorded(caller, admin ? "promote" : "demote", userId, act).thenReturn(Map.of());
    }

    /** M_USER_IN_USE, also for a deactivated account; M_INVALID_USERNAME. */
    @GetMapping("/username_available")
    Mono<Map<String, Boolean>> available(Caller caller, @RequestParam String username) {
        var user = named(caller, username);
        var taken = accounts.find(caller.tenant(), user)
                .<Map<String, Boolean>>flatMap(
                        _ -> Mono.error(new ApiException(ErrorCode.M_USER_IN_USE, "the user name is taken")))
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        _ -> Mono.just(Map.of("available", true)));
        return audit.recorded(caller, "see whether user exists", user.value(), taken);
    }

    private static UserId named(Caller caller, String username) {
        try {
            return new UserId("@" + username + ":" + caller.server().value());
        } catch (ApiException _) {
            throw new ApiException(
                    ErrorCode.M_INVALID_USERNAME, "a user name has characters of a-z 0-9 . _ = - / + only");
        }
    }
}
