// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Ends one session for admin-service, which has checked the caller: of the console, or a device that an administrator signs out. */
@RestController
class InternalLogoutApi {
    private final SessionEnder sessions;

    InternalLogoutApi(SessionEnder sessions) {
        this.sessions = sessions;
    }

    /** A missing device is no error. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/logout")
    Mono<Map<String, Object>> logout(@RequestBody LogoutRequest request) {
        return sessions.end(request.tenant, request.user, request.device).thenReturn(Map.of());
    }

    record LogoutRequest(TenantId tenant, UserId user, DeviceId device) {}
}
