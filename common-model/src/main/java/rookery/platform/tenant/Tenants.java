package rookery.platform.tenant;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

/** Finds a tenant by its number or by the host that a client asked. */
@Component
public class Tenants {
    private final Map<TenantId, Tenant> byId = new LinkedHashMap<>();
    private final Map<String, Tenant> byHost = new LinkedHashMap<>();
    private final Set<TenantId> withoutPresence = new HashSet<>();
    private final @Nullable Tenant fallback;

    public Tenants(TenantProperties properties) {
        for (var entry : properties.tenants()) {
            var tenant = new Tenant(new TenantId(entry.id()), new ServerName(entry.serverName()));
            if (byId.put(tenant.id(), tenant) != null) {
                throw new IllegalStateException("rookery.tenants: two tenants have the id " + entry.id());
            }
            if (!entry.presence()) {
                withoutPresence.add(tenant.id());
            }
            claim(entry.serverName(), tenant);
            entry.hosts().forEach(host -> claim(host, tenant));
        }
        var number = properties.defaultTenant();
        fallback = number == null ? null : byId.get(new TenantId(number));
        if (number != null && fallback == null) {
            throw new IllegalStateException("rookery.default-tenant: there is no tenant with the id " + number);
        }
    }

    private void claim(String host, Tenant tenant) {
        var other = byHost.put(canonical(host), tenant);
        if (other != null && !other.equals(tenant)) {
            throw new IllegalStateException("rookery.tenants: two tenants claim the host " + host);
        }
    }

    public @Nullable Tenant find(TenantId id) {
        return byId.get(id);
    }

    /** Whether the users of the tenant are told who is online. */
    public boolean hasPresence(TenantId id) {
        return !withoutPresence.contains(id);
    }

    public Collection<Tenant> all() {
        return byId.values();
    }

    /** The tenant of a Host header, or the default one, or null: an unknown host is refused. */
    public @Nullable Tenant ofHost(@Nullable String host) {
        var tenant = host == null ? null : byHost.get(canonical(host));
        return tenant == null ? fallback : tenant;
    }

    /** Lower case, without port and trailing dot: all spellings of a host lead to one tenant. */
    static String canonical(String host) {
        String name = host.strip().toLowerCase(Locale.ROOT);
        int colon = name.lastIndexOf(':');
        if (colon > name.lastIndexOf(']')) {
            name = name.substring(0, colon);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
