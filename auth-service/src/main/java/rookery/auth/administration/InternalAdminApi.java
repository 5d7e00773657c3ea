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
 * Accounts for admin-service, which has checked who asks. Errors: M_NOT_FOUND, for deactivated users too but where it says
 * otherwise; M_FORBIDDEN as contract.md 5.3 says.
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

    /** contract.md 5.2; deactivated users are known, and have no devices. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/whois")
    Mono<Whois.Answer> whois(@RequestBody Subject subject) {
        return whois.of(subject.tenant, subject.user);
    }

    /** For good; once more is the same. */
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

    /** For the operator, who may take the last administrator's rights too, and for administrators, who may not. */
    @Callers({ServiceName.ADMIN, ServiceName.OPERATOR})
    @PostMapping("/internal/admin/promote")
    Mono<Map<String, Object>> promote(@RequestBody Promotion asked) {
        return promoter.set(asked.tenant, asked.user, asked.admin, asked.by != null)
                .thenReturn(Map.of());
    }

    /** For the operator: makes the account of an administrator. */
    @Callers(ServiceName.OPERATOR)
    @PostMapping("/internal/admin/create")
    Mono<Map<String, Object>> create(@RequestBody Creation asked) {
        return administrators
                .make(asked.tenant, asked.user, new Password(asked.password))
                .thenReturn(Map.of());
    }

    /** For the operator. The token is told this one time. */
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

    /** @param by the administrator who asks, or null for the operator */
    record Block(TenantId tenant, UserId user, @Nullable UserId by) {}

    record Suspension(TenantId tenant, UserId user, boolean suspended, UserId by) {}

    record Creation(TenantId tenant, UserId user, String password) {
        @Override
        public String toString() {
            return "Creation"; // never the password
        }
    }

    /** @param by the administrator who wants it; null for the operator */
    record Promotion(
            TenantId tenant,
            UserId user,
            boolean admin,
            @Nullable UserId by) {}

    /**
     * A registration token to make (contract.md 5.1).
     *
     * @param uses null for any number
     * @param lifeSeconds null for ever
     */
    record TokenWish(
            TenantId tenant,
            @Nullable Integer uses,
            @JsonProperty("life_seconds") @Nullable Long lifeSeconds,
            @JsonProperty("grants_admin") @Nullable Boolean grantsAdmin) {}
}
