// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.admin.registration.RegistrationTokenClient;
import rookery.admin.registration.TokenTerms;
import rookery.model.id.TenantId;
import rookery.platform.tenant.RegisteredTenant;

/** Makes registration tokens, with which somebody registers as a tenant's administrator once. */
@Component
class FirstAdministrator {
    private final RegistrationTokenClient tokens;

    FirstAdministrator(RegistrationTokenClient tokens) {
        this.tokens = tokens;
    }

    /** @param expiresAt in milliseconds since the epoch */
    record Invitation(
            @JsonProperty("registration_token") String token,
            @JsonProperty("expires_at") long expiresAt) {}

    Mono<Invitation> invitation(RegisteredTenant tenant) {
        return tokens.make(new TenantId(tenant.number()), TokenTerms.OF_ADMINISTRATOR)
                .map(made -> new Invitation(
                        made.path("token").asString(), made.path("expires_at").asLong()));
    }
}
