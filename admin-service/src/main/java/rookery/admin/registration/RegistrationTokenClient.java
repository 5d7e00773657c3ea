// SPDX-License-Identifier: Apache-2.0
package rookery.admin.registration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.id.TenantId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.node.ObjectNode;

/**
 * Client of auth-service, the owner of the registration tokens. Errors of auth-service are the contract's and reach the
 * caller unchanged.
 */
@Component
public class RegistrationTokenClient {
    private static final String PATH = "/internal/admin/registration-token";
    private static final long MILLIS = 1_000;

    private final ServiceClient services;

    RegistrationTokenClient(ServiceClient services) {
        this.services = services;
    }

    /** The token as in the list, with its text as {@code token}, which no other answer shows. */
    public Mono<ObjectNode> make(TenantId tenant, TokenTerms terms) {
        var life = terms.life();
        var seconds = life == null ? null : Math.ceilDiv(life.toMillis(), MILLIS);
        return post(tenant, "", new TokenRequest(tenant, terms.text(), terms.uses(), seconds, terms.grantsAdmin()));
    }

    /** The tenant's tokens as lines ({@code ListLines}). */
    public Flux<String> list(TenantId tenant, ListQuery page) {
        return services.lines(
                ServiceName.AUTH.title(), key(tenant), PATH + "s", new ListRequest(tenant, page.from(), page.limit()));
    }

    /** M_NOT_FOUND. */
    public Mono<ObjectNode> find(TenantId tenant, String id) {
        return post(tenant, "/find", new IdRequest(tenant, id));
    }

    /** M_NOT_FOUND. */
    public Mono<ObjectNode> revoke(TenantId tenant, String id) {
        return post(tenant, "/revoke", new IdRequest(tenant, id));
    }

    private Mono<ObjectNode> post(TenantId tenant, String action, Object request) {
        return services.post(ServiceName.AUTH.title(), key(tenant), PATH + action, request, ObjectNode.class);
    }

    /** Any instance serves every tenant; the key only spreads the tenants. */
    private static String key(TenantId tenant) {
        return Integer.toString(tenant.value());
    }

    private record TokenRequest(
            TenantId tenant,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String token,

            @Nullable Integer uses,
            @JsonProperty("life_seconds") @Nullable Long lifeSeconds,
            @JsonProperty("grants_admin") boolean grantsAdmin) {
        @Override
        public String toString() {
            return "TokenRequest"; // without the token
        }
    }

    private record ListRequest(
            TenantId tenant, String after, @Nullable Integer limit) {}

    private record IdRequest(TenantId tenant, String id) {}
}
