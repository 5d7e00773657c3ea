// SPDX-License-Identifier: Apache-2.0
package rookery.sync.departure;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.TokenOwner;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.sync.filter.Filters;
import rookery.sync.sliding.Connections;

/** Deletes the filters and the connections of a deactivated user (contract.md 5.3). Auth-service repeats the call until it succeeds. */
@RestController
class DepartApi {
    private final Filters filters;
    private final Connections connections;

    DepartApi(Filters filters, Connections connections) {
        this.filters = filters;
        this.connections = connections;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/users/depart")
    Mono<Map<String, Object>> depart(@RequestBody DepartRequest gone) {
        var owner = new TokenOwner(gone.tenant, gone.user);
        return filters.deleteAll(owner).then(connections.deleteAll(owner)).thenReturn(Map.of());
    }

    record DepartRequest(TenantId tenant, UserId user) {}
}
