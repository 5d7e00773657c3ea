// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.RegisteredTenant;

/** Makes registration tokens of auth-service, with which somebody registers as a tenant's administrator once. */
@Component
class FirstAdministrator {
    private static final Duration VALID_FOR = Duration.ofDays(7);

    private final ServiceClient services;
    private final Clock clock;

    FirstAdministrator(ServiceClient services, Clock clock) {
        this.services = services;
        this.clock = clock;
    }

    record TokenRequest(
            TenantId tenant,
            int uses,
            @JsonProperty("life_seconds") long lifeSeconds,
            @JsonProperty("grants_admin") boolean grantsAdmin) {}

    record TokenAnswer(String token) {}

    /** @param expiresAt in milliseconds since the epoch */
    record Invitation(
            @JsonProperty("registration_token") String token,
            @JsonProperty("expires_at") long expiresAt) {}

    Mono<Invitation> invitation(RegisteredTenant tenant) {
        var request = new TokenRequest(new TenantId(tenant.number()), 1, VALID_FOR.toSeconds(), true);
        return services.post(
                        ServiceName.AUTH.title(),
                        tenant.serverName(),
                        "/internal/admin/registration-token",
                        request,
                        TokenAnswer.class)
                .map(answer -> new Invitation(
                        answer.token, clock.instant().plus(VALID_FOR).toEpochMilli()));
    }
}
