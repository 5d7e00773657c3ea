// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

/**
 * The numbers and server names of tenants according to the data: ids of users and rooms end in the server name, and rows have the
 * number. Numbers and names are never reused.
 *
 * @param names by number; {@link #NOBODY} for a number that must not be used again
 */
public record TenantRegister(SortedMap<Integer, String> names) {
    /** The name of a number whose rows belong to a tenant with another number. */
    public static final String NOBODY = "";

    public static TenantRegister of(Map<Integer, String> names) {
        return new TenantRegister(new TreeMap<>(names));
    }

    /** Returns the tenant with that name, or null for a new name. */
    public @Nullable Tenant find(ServerName name) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name.value()))
                .map(entry -> new Tenant(new TenantId(entry.getKey()), name))
                .findFirst()
                .orElse(null);
    }

    /** Returns an unused number. */
    public int next() {
        return names.isEmpty() ? 1 : Math.max(0, names.lastKey()) + 1;
    }

    /** Returns the tenants that the data lack; refuses contradictions, with the data of {@code place} as the reason. */
    public List<Tenant> missing(Collection<Tenant> configured, String place) {
        int free = Math.max(
                next(),
                1
                        + configured.stream()
                                .mapToInt(tenant -> tenant.id().value())
                                .max()
                                .orElse(0));
        var refusal = configured.stream()
                .map(tenant -> refusal(tenant, place, free))
                .filter(Objects::nonNull)
                .findFirst();
        if (refusal.isPresent()) {
            throw new TenantsRefusedException(refusal.get());
        }
        return configured.stream()
                .filter(tenant -> !names.containsKey(tenant.id().value()))
                .toList();
    }

    private @Nullable String refusal(Tenant tenant, String place, int free) {
        int number = tenant.id().value();
        String name = tenant.serverName().value();
        var existing = find(tenant.serverName());
        if (existing != null) {
            int own = existing.id().value();
            return own == number
                    ? null
                    : "rookery.tenants: %s has the number %d in the data of %s, and not %d: set its id to %d"
                            .formatted(name, own, place, number, own);
        }
        String other = names.get(number);
        if (other == null) {
            return null;
        }
        return "rookery.tenants: the number %d is that of %s in the data of %s: set the id of %s, which is new there, to %d"
                .formatted(number, other.equals(NOBODY) ? "nobody" : other, place, name, free);
    }

    /** The tenants as text, such as {@code 1 = localhost, 2 = chat.example}. */
    public String text() {
        return names.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(NOBODY))
                .map(entry -> "%d = %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** The names and numbers of tenants that are not configured, and therefore not served. */
    public List<String> unserved(Collection<Tenant> configured) {
        var served = configured.stream().map(tenant -> tenant.id().value()).collect(Collectors.toSet());
        return names.entrySet().stream()
                .filter(entry ->
                        !served.contains(entry.getKey()) && !entry.getValue().equals(NOBODY))
                .map(entry -> "%s (%d)".formatted(entry.getValue(), entry.getKey()))
                .toList();
    }
}
