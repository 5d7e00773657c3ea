// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.event.RoomVersion;
import rookery.model.id.TenantId;

/**
 * Finds a tenant by its number or by the requested host: the tenants of the configuration, and as soon as this process has them,
 * those of admin-service's registry, which come first (design.md 7).
 */
@Component
public class Tenants {
    private final List<RegisteredTenant> configured;
    private final Map<TenantId, TenantSettings> configuredSettings = new HashMap<>();
    private final @Nullable TenantId defaultTenant;
    private volatile InstalledTenants installed;

    private record InstalledTenants(long version, TenantIndex index) {}

    public Tenants(TenantProperties properties) {
        this.configured =
                properties.tenants().stream().map(RegisteredTenant::of).toList();
        this.installed = new InstalledTenants(0, new TenantIndex(configured));
        for (var entry : properties.tenants()) {
            configuredSettings.put(new TenantId(entry.id()), TenantSettings.configured(entry));
        }
        var number = properties.defaultTenant();
        this.defaultTenant = number == null ? null : new TenantId(number);
        if (defaultTenant != null && installed.index.find(defaultTenant) == null) {
            throw new TenantsRefusedException(
                    "rookery.default-tenant: there is no tenant with the id %d: name one of rookery.tenants"
                            .formatted(number));
        }
    }

    /** The canonical spelling of a host: lower case, without port and trailing dot. */
    public static String canonical(String host) {
        return TenantIndex.canonical(host);
    }

    /** The tenants of this process's configuration. */
    public List<RegisteredTenant> configured() {
        return configured;
    }

    /** The version of the registry that this process has; 0 for none. */
    public long version() {
        return installed.version;
    }

    /**
     * Replaces the tenants. A tenant of the configuration that the registry does not have yet stays.
     *
     * @throws TenantsRefusedException for tenants that contradict each other; the tenants stay as they were
     */
    public void install(TenantList list) {
        var all = new ArrayList<>(list.tenants());
        Set<Integer> numbers =
                list.tenants().stream().map(RegisteredTenant::number).collect(Collectors.toSet());
        configured.stream().filter(tenant -> !numbers.contains(tenant.number())).forEach(all::add);
        installed = new InstalledTenants(list.version(), new TenantIndex(all));
    }

    public @Nullable Tenant find(TenantId id) {
        return installed.index.find(id);
    }

    /** Whether requests of the tenant's users are refused. */
    public boolean isSuspended(TenantId id) {
        return installed.index.suspended().contains(id);
    }

    /** Whether the registry, as this process has it, has the tenant in that state. */
    public boolean isIn(RegisteredTenant.State state, TenantId id) {
        return installed
                .index
                .registered(id)
                .map(tenant -> tenant.state() == state)
                .orElse(false);
    }

    /** Whether the tenant's data came from the export of another installation. */
    public boolean isImported(TenantId id) {
        return installed
                .index
                .registered(id)
                .map(tenant -> Boolean.TRUE.equals(tenant.imported()))
                .orElse(false);
    }

    /** 503 while the tenant's data are imported: an entry now would precede the imported entries of the log. */
    public void requireNoImport(TenantId id) {
        if (isIn(RegisteredTenant.State.IMPORTING, id)) {
            throw ApiException.unavailable("this tenant is being imported, try again later");
        }
    }

    /** The suspended tenants. */
    public Set<TenantId> suspended() {
        return installed.index.suspended();
    }

    /** The hosts that lead to the tenant, its server name included, in their canonical spelling. */
    public Set<String> hosts(TenantId id) {
        return installed.index.registered(id).stream()
                .flatMap(tenant -> Stream.concat(Stream.of(tenant.serverName()), tenant.hosts().stream()))
                .map(TenantIndex::canonical)
                .collect(Collectors.toSet());
    }

    /** What operators have set for the tenant. */
    public TenantSettings settings(TenantId id) {
        return installed.index.registered(id).map(RegisteredTenant::settings).orElse(TenantSettings.NONE);
    }

    /** What operators have set for the tenant, or else its entry in the configuration; null if neither has the setting. */
    public <T> @Nullable T setting(TenantId id, Setting<T> setting) {
        var ofOperator = settings(id).get(setting);
        return ofOperator == null
                ? configuredSettings.getOrDefault(id, TenantSettings.NONE).get(setting)
                : ofOperator;
    }

    /** As {@link #setting(TenantId, Setting)}; {@code otherwise} is the value of the installation. */
    public <T> T setting(TenantId id, Setting<T> setting, T otherwise) {
        var value = setting(id, setting);
        return value == null ? otherwise : value;
    }

    /** Whether the tenant has presence. */
    public boolean hasPresence(TenantId id) {
        return setting(id, TenantSettings.PRESENCE, true);
    }

    /** Whether users of the tenant may schedule events. */
    public boolean hasDelayedEvents(TenantId id) {
        return setting(id, TenantSettings.DELAYED_EVENTS, true);
    }

    /** The version of a room of the tenant whose maker names none. */
    public RoomVersion roomVersion(TenantId id) {
        return RoomVersion.of(setting(id, TenantSettings.ROOM_VERSION, RoomVersion.DEFAULT.id))
                .orElse(RoomVersion.DEFAULT);
    }

    public Collection<Tenant> all() {
        return installed.index.all();
    }

    /** Whether the host is one of a tenant; the default tenant's other hosts do not count. */
    public boolean isHost(String host) {
        return installed.index.ofHost(host) != null;
    }

    /** Returns the tenant of a Host header, or the default tenant, or null: an unknown host is refused. */
    public @Nullable Tenant ofHost(@Nullable String host) {
        var index = installed.index;
        var tenant = host == null ? null : index.ofHost(host);
        return tenant != null || defaultTenant == null ? tenant : index.find(defaultTenant);
    }
}
