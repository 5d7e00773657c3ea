// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.deactivation.DeactivationAnswer;
import rookery.auth.deactivation.Deactivator;
import rookery.auth.password.Password;
import rookery.auth.registration.AccountMaker;
import rookery.auth.registration.Approver;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/**
 * Operations on accounts for admin-service, which has checked the caller's permissions. Errors: M_NOT_FOUND, by default for
 * deactivated users too; M_FORBIDDEN as in contract.md 5.3.
 */
@RestController
class InternalAdminApi {
    private final Whois whois;
    private final Deactivator deactivator;
    private final Blocker blocker;
    private final Promoter promoter;
    private final AccountMaker maker;
    private final Approver approver;

    InternalAdminApi(
            Whois whois,
            Deactivator deactivator,
            Blocker blocker,
            Promoter promoter,
            AccountMaker maker,
            Approver approver) {
        this.whois = whois;
        this.deactivator = deactivator;
        this.blocker = blocker;
        this.promoter = promoter;
        this.maker = maker;
        this.approver = approver;
    }

    /** contract.md 5.2. A deactivated user is found and has no devices. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/whois")
    Mono<Whois.WhoisAnswer> whois(@RequestBody Subject subject) {
        return whois.of(subject.tenant, subject.user);
    }

    /** Deactivates for good. Idempotent. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/deactivate")
    Mono<DeactivationAnswer> deactivate(@RequestBody Deactivation request) {
        return deactivator.byAdministrator(request.tenant, request.user, Boolean.TRUE.equals(request.erase));
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/block")
    Mono<Map<String, Object>> block(@RequestBody Block request) {
        return blocker.block(request.tenant, request.user, request.by).thenReturn(Map.of());
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/unblock")
    Mono<Map<String, Object>> unblock(@RequestBody Block request) {
        return blocker.unblock(request.tenant, request.user).thenReturn(Map.of());
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/suspend")
    Mono<Map<String, Object>> suspend(@RequestBody Suspension request) {
        return blocker.setSuspended(request.tenant, request.user, request.suspended, request.by)
                .thenReturn(Map.of());
    }

    /** Lets the user of a registration in mode approval log in. Idempotent. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/approve")
    Mono<Map<String, Object>> approve(@RequestBody Approval request) {
        return approver.approve(request.tenant, request.user).thenReturn(Map.of());
    }

    /**
     * The operator may revoke the rights of the last administrator; an administrator may not. A new administrator is approved as well,
     * because nobody else could do so in a new tenant.
     */
    @Callers({ServiceName.ADMIN, ServiceName.OPERATOR})
    @PostMapping("/internal/admin/promote")
    Mono<Map<String, Object>> promote(@RequestBody Promotion request) {
        var approval = request.admin ? approver.approve(request.tenant, request.user) : Mono.<Void>empty();
        return approval.then(
                        Mono.defer(() -> promoter.set(request.tenant, request.user, request.admin, request.by != null)))
                .thenReturn(Map.of());
    }

    /** For operators and administrators: creates an account, an administrator's unless {@code admin} is false. */
    @Callers({ServiceName.ADMIN, ServiceName.OPERATOR})
    @PostMapping("/internal/admin/create")
    Mono<Map<String, Object>> create(@RequestBody Creation request) {
        boolean admin = !Boolean.FALSE.equals(request.admin);
        return maker.make(request.tenant, request.user, new Password(request.password), admin)
                .thenReturn(Map.of());
    }

    record Subject(TenantId tenant, UserId user) {}

    record Deactivation(
            TenantId tenant, UserId user, @Nullable Boolean erase) {}

    /** @param by the administrator, or null for the operator */
    record Block(TenantId tenant, UserId user, @Nullable UserId by) {}

    /** @param by the administrator, or null for the operator */
    record Approval(TenantId tenant, UserId user, @Nullable UserId by) {}

    record Suspension(TenantId tenant, UserId user, boolean suspended, UserId by) {}

    record Creation(
            TenantId tenant,
            UserId user,
            String password,
            @Nullable Boolean admin) {
        @Override
        public String toString() {
            return "Creation"; // without the password
        }
    }

    /** @param by the administrator, or null for the operator */
    record Promotion(
            TenantId tenant,
            UserId user,
            boolean admin,
            @Nullable UserId by) {}
}
