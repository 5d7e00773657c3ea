// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * Restricts the visibility of profiles (contract.md 13.3). If the tenant requires a shared room, unknown users get the same
 * refusal as existing ones, so that user IDs cannot be probed.
 */
@Component
class ProfileGate {
    private static final String PATH = "/internal/rooms/shared";

    private final ProfileProperties properties;
    private final Tenants tenants;
    private final ServiceClient services;

    ProfileGate(ProfileProperties properties, Tenants tenants, ServiceClient services) {
        this.properties = properties;
        this.tenants = tenants;
        this.services = services;
    }

    /** M_FORBIDDEN if the caller may not see the profile; 503 while room-service is unreachable. */
    Mono<Void> requireSight(Caller caller, UserId owner) {
        if (!tenants.setting(
                caller.tenant(), TenantSettings.PROFILES_NEED_SHARED_ROOM, properties.requiresSharedRoom())) {
            return Mono.empty();
        }
        var login = caller.known();
        if (login == null) {
            return Mono.error(ProfileGate::refused);
        }
        if (login.admin() || login.user().equals(owner)) {
            return Mono.empty();
        }
        return services.post(
                        "room-service",
                        login.user().value(),
                        PATH,
                        new SharedRoomRequest(caller.tenant(), login.user(), owner),
                        SharedRoomAnswer.class)
                .flatMap(answer -> answer.shared ? Mono.empty() : Mono.error(refused()));
    }

    private static ApiException refused() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "seeing a profile needs a common room with its owner");
    }

    record SharedRoomRequest(TenantId tenant, UserId user, UserId other) {}

    record SharedRoomAnswer(boolean shared) {}
}
