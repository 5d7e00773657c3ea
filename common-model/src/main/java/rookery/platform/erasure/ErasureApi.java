// SPDX-License-Identifier: Apache-2.0
package rookery.platform.erasure;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.erasure.TenantErasure.Cursor;
import rookery.platform.erasure.TenantErasure.Portion;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.Tenants;

/** Deletes portions of a tenant's data for admin-service (design.md 7). Internal. */
@RestController
public class ErasureApi {
    public static final String PATH = "/internal/tenants/erase";

    private final TenantErasure erasure;
    private final Tenants tenants;

    ErasureApi(TenantErasure erasure, Tenants tenants) {
        this.erasure = erasure;
        this.tenants = tenants;
    }

    /** A portion of the tenant to delete. */
    public record Request(TenantId tenant, Cursor cursor) {}

    /** 503 unless this service's own copy of the registry says that the tenant is being deleted. */
    @Callers(ServiceName.ADMIN)
    @PostMapping(PATH)
    Mono<Portion> erase(@RequestBody Request request) {
        return tenants.isIn(State.ERASING, request.tenant)
                ? erasure.portion(request.tenant, request.cursor)
                : Mono.error(
                        ApiException.unavailable("this service does not know yet that the tenant is to be deleted"));
    }
}
