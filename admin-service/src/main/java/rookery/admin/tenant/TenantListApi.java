// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.registry.TenantFollower;
import rookery.platform.tenant.TenantList;

/** The registry for the other services (design.md 7). */
@RestController
class TenantListApi {
    private final TenantRegistry registry;

    TenantListApi(TenantRegistry registry) {
        this.registry = registry;
    }

    /** All tenants as soon as the registry has another version; after some seconds that version without tenants. */
    @Callers({
        ServiceName.GATEWAY,
        ServiceName.AUTH,
        ServiceName.ROOM,
        ServiceName.SYNC,
        ServiceName.DIRECTORY,
        ServiceName.PUSH
    })
    @GetMapping(TenantFollower.PATH)
    Mono<TenantList> list(@RequestParam long version) {
        return registry.after(version);
    }
}
