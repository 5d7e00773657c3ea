// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import rookery.platform.tenant.Tenants;
import rookery.sync.waiting.Wake;

/**
 * Ends the waiting requests of tenants that an operator has suspended. Repeated, because a request may have passed the gateway before
 * the gateway knew.
 */
@Component
class SuspendedTenants {
    private final Tenants tenants;
    private final Inboxes inboxes;

    SuspendedTenants(Tenants tenants, Inboxes inboxes) {
        this.tenants = tenants;
        this.inboxes = inboxes;
    }

    @Scheduled(fixedDelayString = "PT0.5S")
    void endWaits() {
        var suspended = tenants.suspended();
        if (!suspended.isEmpty()) {
            inboxes.all().stream()
                    .filter(inbox -> suspended.contains(inbox.key().tenant()))
                    .forEach(inbox -> inbox.waiters().wake(Wake.TENANT_SUSPENDED));
        }
    }
}
