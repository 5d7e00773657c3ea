package rookery.auth.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.deactivation.DeactivationAnswer;
import rookery.auth.deactivation.Deactivator;
import rookery.auth.password.Password;
import rookery.auth.registration.AdministratorMaker;
import rookery.auth.registration.RegistrationTokens;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/**
 * Operations on accounts for admin-service, which has checked the caller's permissions. Errors: M_NOT_FOUND, by default
 * for deactivated users
 * too; M_FORBIDDEN as in contract.md 5.3.
 */
@RestController
class InternalAdminApi {
    private final Whois whois;
    private final Deactivator deactivator;
    private final Blocker blocker;
    private final Suspender suspender;
    private final Promoter promoter;
    private final RegistrationTokens registrationTokens;
    private final AdministratorMaker administrators;

    InternalAdminApi(
            Whois whois,
            Deactivator deactivator,
            Blocker blocker,
            Suspender suspender,
            Promoter promoter,
            RegistrationTokens registrationTokens,
            AdministratorMaker administrators) {
        this.whois = whois;
        this.deactivator = deactivator;
        this.blocker = blocker;
        this.suspender = suspender;
        this.promoter = promoter;
        this.registrationTokens = registrationTokens;
        this.administrators = administrators;
    }

    /** contract.md 5.2. A deactivated user is found and has no devices. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/whois")
    Mono<Whois.Answer> whois(@RequestBody Subject subject) {
        return whois.of(subject.tenant, subject.user);
    }

    /** Deactivates for good. Idempotent. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/deactivate")
    Mono<DeactivationAnswer> deactivate(@RequestBody Deactivation asked) {
        return deactivator.byAdministrator(asked.tenant, asked.user, Boolean.TRUE.equals(asked.erase));
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/block")
    Mono<Map<String, Object>> block(@RequestBody Block asked) {
        return blocker.block(asked.tenant, asked.user, asked.by).thenReturn(Map.of());
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/unblock")
    Mono<Map<String, Object>> unblock(@RequestBody Block asked) {
        return blocker.unblock(asked.tenant, asked.user).thenReturn(Map.of());
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/suspend")
    Mono<Map<String, Object>> suspend(@RequestBody Suspension asked) {
        return suspender
                .set(asked.tenant, asked.user, asked.suspended, asked.by)
                .thenReturn(Map.of());
    }

    /** The operator may revoke the rights of the last administrator; an administrator may not. */
    @Callers({ServiceName.ADMIN, ServiceName.OPERATOR})
    @PostMapping("/internal/admin/promote")
    Mono<Map<String, Object>> promote(@RequestBody Promotion asked) {
        return promoter.set(asked.tenant, asked.user, asked.admin, asked.by != null)
                .thenReturn(Map.of());
    }

    /** For the operator: creates an administrator's account. */
    @Callers(ServiceName.OPERATOR)
    @PostMapping("/internal/admin/create")
    Mono<Map<String, Object>> create(@RequestBody Creation asked) {
        return administrators
                .make(asked.tenant, asked.user, new Password(asked.password))
                .thenReturn(Map.of());
    }

    /** For the operator. Only this answer shows the token. */
    @Callers(ServiceName.OPERATOR)
    @PostMapping("/internal/admin/registration-token")
    Mono<Map<String, String>> registrationToken(@RequestBody TokenWish wish) {
        if ((wish.uses != null && wish.uses < 1) || (wish.lifeSeconds != null && wish.lifeSeconds < 1)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "uses and life_seconds are at least 1");
        }
        var life = wish.lifeSeconds == null ? null : Duration.ofSeconds(wish.lifeSeconds);
        return registrationTokens
                .make(wish.tenant, wish.uses, life, Boolean.TRUE.equals(wish.grantsAdmin))
                .map(token -> Map.of("token", token));
    }

    record Subject(TenantId tenant, UserId user) {}

    record Deactivation(
            TenantId tenant, UserId user, @Nullable Boolean erase) {}

    /** @param by the administrator, or null for the operator */
    record Block(TenantId tenant, UserId user, @Nullable UserId by) {}

    record Suspension(TenantId tenant, UserId user, boolean suspended, UserId by) {}

    record Creation(TenantId tenant, UserId user, String password) {
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

    /**
     * The registration token to create (contract.md 5.1).
     * @param uses null for unlimited uses
     * @param lifeSeconds null for a token that never expires
     */
    record TokenWish(
            TenantId tenant,
            @Nullable Integer uses,
            @JsonProperty("life_seconds") @Nullable Long lifeSeconds,
            @JsonProperty("grants_admin") @Nullable Boolean grantsAdmin) {}
}
