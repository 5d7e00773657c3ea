// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.platform.tenant.Tenants;

/** Tells operators of containers at each start that anybody who reaches the gateways may register, and how to change that. */
@Component
class OpenRegistrationWarning {
    private static final Logger log = LoggerFactory.getLogger(OpenRegistrationWarning.class);
    private static final int NAMED_MAX = 10;

    private final RegistrationProperties properties;
    private final RegistrationSettings registrations;
    private final Tenants tenants;

    OpenRegistrationWarning(RegistrationProperties properties, RegistrationSettings registrations, Tenants tenants) {
        this.properties = properties;
        this.registrations = registrations;
        this.tenants = tenants;
    }

    @EventListener(ApplicationReadyEvent.class)
    void warn() {
        var open = tenants.all().stream()
                .filter(tenant -> registrations.of(tenant.id()).mode() == Mode.OPEN)
                .map(tenant -> tenant.serverName().value())
                .toList();
        if (properties.warnsIfOpen() && !open.isEmpty()) {
            log.atWarn()
                    .addKeyValue("tenants", open.size())
                    .addKeyValue("first", open.stream().limit(NAMED_MAX).collect(Collectors.joining(",")))
                    .log("everybody who reaches the gateways may register: to close, run deploy/admin tenant set NAME"
                            + " registration=token, or set ROOKERY_AUTH_REGISTRATION_MODE=token for all tenants");
        }
    }
}
