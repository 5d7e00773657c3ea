// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.node.ObjectNode;

/** Client of auth-service for profiles and devices of other users. */
@Component
class AccountChangeClient {
    /** Ending sessions takes ten seconds while Redis is unavailable; the gateway waits for fifteen. */
    private static final Duration LONGEST = Duration.ofSeconds(14);

    private final ServiceClient services;

    AccountChangeClient(ServiceClient services) {
        this.services = services.waiting(LONGEST);
    }

    /** M_NOT_FOUND, also for deactivated users; M_INVALID_PARAM for an unusable value. An empty value clears the field. */
    Mono<ObjectNode> setProfile(TenantId tenant, UserId user, String key, String value) {
        return post(user, "profile", new FieldChange(tenant, user, key, value));
    }

    /** M_NOT_FOUND for the user; unknown devices are no error. */
    Mono<ObjectNode> deleteDevices(TenantId tenant, UserId user, List<DeviceId> devices) {
        return post(user, "devices/delete", new DeviceDeletion(tenant, user, devices));
    }

    private Mono<ObjectNode> post(UserId user, String what, Object request) {
        return services.post(
                ServiceName.AUTH.title(), user.value(), "/internal/admin/" + what, request, ObjectNode.class);
    }

    private record FieldChange(TenantId tenant, UserId user, String key, String value) {}

    private record DeviceDeletion(TenantId tenant, UserId user, List<DeviceId> devices) {}
}
