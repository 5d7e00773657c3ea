// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.Tenants;

/**
 * {@code GET /_rookery/hosts?domain=} (contract.md 4): whether a host leads to a tenant, for proxies that obtain a certificate for a
 * host at its first connection, such as Caddy with {@code on_demand_tls}. M_NOT_FOUND for all other hosts.
 */
@RestController
class HostsApi {
    private final Tenants tenants;

    HostsApi(Tenants tenants) {
        this.tenants = tenants;
    }

    @GetMapping("/_rookery/hosts")
    Map<String, String> host(@RequestParam String domain) {
        if (!tenants.isHost(domain)) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "no tenant has this host");
        }
        return Map.of("host", Tenants.canonical(domain));
    }
}
