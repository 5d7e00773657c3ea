// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;
import rookery.auth.registration.RegistrationProperties.Policy;
import rookery.model.id.TenantId;

/** The stage {@code m.login.terms}: agreement to the tenant's terms. */
@Component
class TermsStage implements Stage {
    private final RegistrationSettings registrations;

    TermsStage(RegistrationSettings registrations) {
        this.registrations = registrations;
    }

    @Override
    public String type() {
        return TERMS;
    }

    @Override
    public Map<String, Object> params(TenantId tenant) {
        var policies = new LinkedHashMap<String, Object>();
        registrations.of(tenant).terms().forEach((id, policy) -> policies.put(id, shown(policy)));
        return Map.of("policies", policies);
    }

    private static Map<String, Object> shown(Policy policy) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("version", policy.version());
        shown.putAll(policy.texts());
        return shown;
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        return Mono.just(Proof.OF_NOTHING);
    }
}
