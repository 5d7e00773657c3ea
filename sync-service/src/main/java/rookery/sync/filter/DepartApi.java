// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

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

/** Deletes the filters of a deactivated user (contract.md 5.3). Auth-service repeats the call until it succeeds. */
@RestController
class DepartApi {
    private final Filters filters;

    DepartApi(Filters filters) {
        this.filters = filters;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/users/depart")
    Mono<Map<String, Object>> depart(@RequestBody DepartRequest gone) {
        return filters.deleteAll(new TokenOwner(gone.tenant, gone.user)).thenReturn(Map.of());
    }

    record DepartRequest(TenantId tenant, UserId user) {}
}
