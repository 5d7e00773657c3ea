// SPDX-License-Identifier: Apache-2.0
package rookery.admin.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.node.ObjectNode;

/**
 * Client of auth-service, the owner of the accounts. Errors of auth-service are the contract's and reach the
 * administrator unchanged.
 */
@Component
public class AccountClient {
    private static final String AUTH = "auth-service";
    /** Ending sessions takes ten seconds while Redis is unavailable; the gateway waits for fifteen. */
    private static final Duration LONGEST = Duration.ofSeconds(14);

    private final ServiceClient services;

    AccountClient(ServiceClient services) {
        this.services = services.waiting(LONGEST);
    }

    /** The body of contract.md 5.2; M_NOT_FOUND. */
    public Mono<ObjectNode> whois(TenantId tenant, UserId user) {
        return post("whois", user, new AccountRequest(tenant, user, null, null));
    }

    /** M_NOT_FOUND, M_FORBIDDEN for the last administrator. */
    public Mono<ObjectNode> deactivate(TenantId tenant, UserId user, boolean erase) {
        return post("deactivate", user, new AccountRequest(tenant, user, erase, null));
    }

    /** M_NOT_FOUND, M_FORBIDDEN for oneself and for administrators. */
    public Mono<ObjectNode> block(TenantId tenant, UserId user, UserId by) {
        return post("block", user, new AccountRequest(tenant, user, null, by));
    }

    /** M_NOT_FOUND. */
    public Mono<ObjectNode> unblock(TenantId tenant, UserId user, UserId by) {
        return post("unblock", user, new AccountRequest(tenant, user, null, by));
    }

    /** M_NOT_FOUND, also for deactivated users. */
    public Mono<ObjectNode> approve(TenantId tenant, UserId user, UserId by) {
        return post("approve", user, new AccountRequest(tenant, user, null, by));
    }

    /** M_NOT_FOUND, M_FORBIDDEN for oneself and for administrators. */
    public Mono<ObjectNode> setSuspended(TenantId tenant, UserId user, boolean suspended, UserId by) {
        return post("suspend", user, new Suspension(tenant, user, suspended, by));
    }

    /**
     * Makes the account an administrator or a user. M_NOT_FOUND.
     *
     * @param by the administrator, who gets M_FORBIDDEN for the last administrator; null for an operator
     */
    public Mono<ObjectNode> setAdmin(TenantId tenant, UserId user, boolean admin, @Nullable UserId by) {
        return post("promote", user, new Promotion(tenant, user, admin, by));
    }

    /** Creates the account of an administrator; M_WEAK_PASSWORD, M_USER_IN_USE. */
    public Mono<ObjectNode> createAdministrator(TenantId tenant, UserId user, String password) {
        return post("create", user, new Creation(tenant, user, password, null));
    }

    /** Creates the account of a user; M_WEAK_PASSWORD, M_USER_IN_USE. */
    public Mono<ObjectNode> createUser(TenantId tenant, UserId user, String password) {
        return post("create", user, new Creation(tenant, user, password, false));
    }

    /**
     * M_WEAK_PASSWORD; M_NOT_FOUND, also for deactivated users; M_FORBIDDEN for the administrator's own account.
     *
     * @param by the administrator, or null for an operator
     */
    public Mono<ObjectNode> setPassword(TenantId tenant, UserId user, NewPassword password, @Nullable UserId by) {
        return post("password", user, new PasswordRequest(tenant, user, password.value, password.endsSessions, by));
    }

    /** M_NOT_FOUND, also for deactivated users; M_INVALID_PARAM for an unusable value. An empty value clears the field. */
    public Mono<ObjectNode> setProfile(TenantId tenant, UserId user, String key, String value) {
        return post("profile", user, new FieldChange(tenant, user, key, value));
    }

    /** {@code threepids} as in contract.md 7.4; empty for an unknown user. */
    public Mono<ObjectNode> threepids(TenantId tenant, UserId user) {
        return post("threepids", user, new AccountRequest(tenant, user, null, null));
    }

    /** Ends the sessions of devices. M_NOT_FOUND for the user; unknown devices are no error. */
    public Mono<ObjectNode> deleteDevices(TenantId tenant, UserId user, List<DeviceId> devices) {
        return post("devices/delete", user, new DeviceDeletion(tenant, user, devices));
    }

    /** The matching accounts as lines ({@code ListLines}). */
    public Flux<String> list(AccountQuery filter, ListQuery page) {
        var request = new ListRequest(filter, page.from(), page.limit(), page.order());
        return services.lines(AUTH, "users", "/internal/admin/users", request);
    }

    /** The account as in the list; M_NOT_FOUND. */
    public Mono<ObjectNode> find(TenantId tenant, UserId user) {
        return post("user", user, new AccountRequest(tenant, user, null, null));
    }

    private Mono<ObjectNode> post(String what, UserId user, Object request) {
        return services.post(AUTH, user.value(), "/internal/admin/" + what, request, ObjectNode.class);
    }

    /** Filter of accounts; a null component matches every account. */
    public record AccountQuery(
            TenantId tenant,
            @Nullable String search,
            @Nullable Boolean admin,
            @Nullable Boolean deactivated,
            @Nullable Boolean blocked,
            @Nullable Boolean suspended,
            @Nullable Boolean approved) {}

    /**
     * A password that an account shall have.
     *
     * @param endsSessions whether all sessions of the user end, with their devices and pushers
     */
    public record NewPassword(String value, boolean endsSessions) {
        @Override
        public String toString() {
            return "NewPassword"; // logs must not contain passwords
        }
    }

    private record PasswordRequest(
            TenantId tenant,
            UserId user,
            String password,
            @JsonProperty("logout_devices") boolean logoutDevices,
            @Nullable UserId by) {
        @Override
        public String toString() {
            return user.value(); // without the password
        }
    }

    private record FieldChange(TenantId tenant, UserId user, String key, String value) {}

    private record DeviceDeletion(TenantId tenant, UserId user, List<DeviceId> devices) {}

    private record ListRequest(
            AccountQuery asked,
            String after,
            @Nullable Integer limit,
            @Nullable ListOrder order) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record AccountRequest(
            TenantId tenant,
            UserId user,
            @Nullable Boolean erase,
            @Nullable UserId by) {}

    private record Suspension(TenantId tenant, UserId user, boolean suspended, UserId by) {}

    private record Promotion(
            TenantId tenant,
            UserId user,
            boolean admin,
            @Nullable UserId by) {}

    /** @param admin null for an administrator */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Creation(
            TenantId tenant,
            UserId user,
            String password,
            @Nullable Boolean admin) {
        @Override
        public String toString() {
            return user.value(); // without the password
        }
    }
}
