// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.tenant.RegisteredTenant.State;

/** Tenants by number and by host. Refuses tenants that contradict each other, with what to change. */
final class TenantIndex {
    private final Map<TenantId, RegisteredTenant> registered = new LinkedHashMap<>();
    private final Map<TenantId, Tenant> byId = new LinkedHashMap<>();
    private final Map<String, Tenant> byHost = new LinkedHashMap<>();
    private final Map<ServerName, Tenant> byName = new HashMap<>();
    private final Set<TenantId> suspended = new HashSet<>();

    TenantIndex(List<RegisteredTenant> tenants) {
        for (var each : tenants) {
            var tenant = tenant(each);
            registered.put(tenant.id(), each);
            if (each.state() == State.DELETED) {
                continue;
            }
            add(tenant);
            if (each.state().isSuspended()) {
                suspended.add(tenant.id());
            }
            claim(each.serverName(), tenant);
            each.hosts().forEach(host -> claim(host, tenant));
        }
    }

    private static Tenant tenant(RegisteredTenant registered) {
        if (registered.number() < 1) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s has no number: set its id to one above 0 that no other tenant ever had"
                            .formatted(registered.serverName()));
        }
        try {
            return new Tenant(new TenantId(registered.number()), new ServerName(registered.serverName()));
        } catch (ApiException _) {
            throw new TenantsRefusedException(
                    "rookery.tenants: '%s' is no server name: set the server-name of number %d to one such as chat.example"
                            .formatted(registered.serverName(), registered.number()));
        }
    }

    private void add(Tenant tenant) {
        var namesake = byName.put(tenant.serverName(), tenant);
        if (namesake != null) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s is there twice, with the ids %d and %d: leave the one that it has in the data"
                            .formatted(
                                    tenant.serverName().value(),
                                    namesake.id().value(),
                                    tenant.id().value()));
        }
        var other = byId.put(tenant.id(), tenant);
        if (other != null) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s and %s have the same id %d: give each the number that it has in the data"
                            .formatted(
                                    other.serverName().value(),
                                    tenant.serverName().value(),
                                    tenant.id().value()));
        }
    }

    private void claim(String host, Tenant tenant) {
        var other = byHost.put(canonical(host), tenant);
        if (other != null && !other.equals(tenant)) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s and %s claim the same host %s: leave it to one of them"
                            .formatted(
                                    other.serverName().value(),
                                    tenant.serverName().value(),
                                    host));
        }
    }

    List<Tenant> all() {
        return List.copyOf(byId.values());
    }

    @Nullable
    Tenant find(TenantId id) {
        return byId.get(id);
    }

    @Nullable
    Tenant ofHost(String host) {
        return byHost.get(canonical(host));
    }

    Set<TenantId> suspended() {
        return suspended;
    }

    Optional<RegisteredTenant> registered(TenantId id) {
        return Optional.ofNullable(registered.get(id));
    }

    /** Lower case, without port and trailing dot, so that all spellings of a host find the same tenant. */
    static String canonical(String host) {
        String name = host.strip().toLowerCase(Locale.ROOT);
        int colon = name.lastIndexOf(':');
        if (colon > name.lastIndexOf(']')) {
            name = name.substring(0, colon);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
