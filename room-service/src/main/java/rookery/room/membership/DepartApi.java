// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/**
 * Removes a deactivated user from all rooms (contract.md 5.3). Internal: auth-service repeats the request until the
 * answer is 200; 503 asks for a repetition. Repeating a finished request changes nothing.
 */
@RestController
class DepartApi {
    private final Departure departure;

    DepartApi(Departure departure) {
        this.departure = departure;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/users/depart")
    Mono<Map<String, Object>> depart(@RequestBody DepartRequest request) {
        return departure
                .depart(new TenantUser(request.tenant, request.user), request.erase)
                .thenReturn(Map.of());
    }

    record DepartRequest(TenantId tenant, UserId user, boolean erase) {}
}
