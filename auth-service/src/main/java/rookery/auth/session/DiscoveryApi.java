// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.JsonNode;

/** The discovery documents of a tenant: base URL for clients, and support contacts (contract.md 3.5). M_NOT_FOUND. */
@RestController
@Access(Level.NONE)
class DiscoveryApi {
    private final Discovery discovery;
    private final SupportProperties support;
    private final Tenants tenants;

    DiscoveryApi(Discovery discovery, SupportProperties support, Tenants tenants) {
        this.discovery = discovery;
        this.support = support;
        this.tenants = tenants;
    }

    @GetMapping("/.well-known/matrix/client")
    JsonNode client(Caller caller) {
        return configured(discovery.document(caller.tenant()), "no base URL for clients is configured");
    }

    @GetMapping("/.well-known/matrix/support")
    Object support(Caller caller) {
        var own = tenants.setting(caller.tenant(), TenantSettings.SUPPORT);
        return configured(own == null ? support.document() : own, "no support contacts are configured");
    }

    private static <T> T configured(@Nullable T document, String absent) {
        if (document == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, absent);
        }
        return document;
    }
}
