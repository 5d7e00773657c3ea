// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.event.RoomVersion;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

/** Finds a tenant by its number or by the requested host. */
@Component
public class Tenants {
    private final Map<TenantId, Tenant> byId = new LinkedHashMap<>();
    private final Map<String, Tenant> byHost = new LinkedHashMap<>();
    private final Set<TenantId> withoutPresence = new HashSet<>();
    private final Set<TenantId> withoutDelayedEvents = new HashSet<>();
    private final Map<TenantId, RoomVersion> roomVersions = new HashMap<>();
    private final @Nullable Tenant fallback;

    public Tenants(TenantProperties properties) {
        for (var entry : properties.tenants()) {
            var tenant = tenant(entry);
            add(tenant);
            if (!entry.presence()) {
                withoutPresence.add(tenant.id());
            }
            if (!entry.delayedEvents()) {
                withoutDelayedEvents.add(tenant.id());
            }
            roomVersions.put(tenant.id(), roomVersion(entry));
            claim(entry.serverName(), tenant);
            entry.hosts().forEach(host -> claim(host, tenant));
        }
        var number = properties.defaultTenant();
        fallback = number == null ? null : byId.get(new TenantId(number));
        if (number != null && fallback == null) {
            throw new TenantsRefusedException(
                    "rookery.default-tenant: there is no tenant with the id %d: name one of rookery.tenants"
                            .formatted(number));
        }
    }

    private static Tenant tenant(TenantProperties.Entry entry) {
        if (entry.id() < 1) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s has no number: set its id to one above 0 that no other tenant ever had"
                            .formatted(entry.serverName()));
        }
        try {
            return new Tenant(new TenantId(entry.id()), new ServerName(entry.serverName()));
        } catch (ApiException _) {
            throw new TenantsRefusedException(
                    "rookery.tenants: '%s' is no server name: set the server-name of number %d to one such as chat.example"
                            .formatted(entry.serverName(), entry.id()));
        }
    }

    private static RoomVersion roomVersion(TenantProperties.Entry entry) {
        return RoomVersion.of(entry.roomVersion())
                .orElseThrow(() -> new TenantsRefusedException(
                        "rookery.tenants: rooms of %s cannot have version '%s': set its room-version to 10, 11 or 12"
                                .formatted(entry.serverName(), entry.roomVersion())));
    }

    private void add(Tenant tenant) {
        for (var other : byId.values()) {
            if (other.serverName().equals(tenant.serverName())) {
                throw new TenantsRefusedException(
                        "rookery.tenants: %s is there twice, with the ids %d and %d: leave the one that it has in the data"
                                .formatted(
                                        tenant.serverName().value(),
                                        other.id().value(),
                                        tenant.id().value()));
            }
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

    public @Nullable Tenant find(TenantId id) {
        return byId.get(id);
    }

    /** Whether the tenant has presence. */
    public boolean hasPresence(TenantId id) {
        return !withoutPresence.contains(id);
    }

    /** Whether users of the tenant may schedule events. */
    public boolean hasDelayedEvents(TenantId id) {
        return !withoutDelayedEvents.contains(id);
    }

    /** The version of a room of the tenant whose maker names none. */
    public RoomVersion roomVersion(TenantId id) {
        return roomVersions.getOrDefault(id, RoomVersion.DEFAULT);
    }

    public Collection<Tenant> all() {
        return byId.values();
    }

    /** Returns the tenant of a Host header, or the default tenant, or null: an unknown host is refused. */
    public @Nullable Tenant ofHost(@Nullable String host) {
        var tenant = host == null ? null : byHost.get(canonical(host));
        return tenant == null ? fallback : tenant;
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
