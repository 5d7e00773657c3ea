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
 * Which number is which tenant's, as data say: ids of users and rooms end in the server name, and rows carry the number. A number and
 * a name that were used once are never given again.
 *
 * @param names by number; {@link #NOBODY} for a number that nobody is given any more
 */
public record TenantRegister(SortedMap<Integer, String> names) {
    /** In place of the name of a number whose rows name a tenant that has another number. */
    public static final String NOBODY = "";

    public static TenantRegister of(Map<Integer, String> names) {
        return new TenantRegister(new TreeMap<>(names));
    }

    /** The tenant of that name, or null if the name is new. */
    public @Nullable Tenant find(ServerName name) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name.value()))
                .map(entry -> new Tenant(new TenantId(entry.getKey()), name))
                .findFirst()
                .orElse(null);
    }

    /** A number that was never given. */
    public int next() {
        return names.isEmpty() ? 1 : Math.max(0, names.lastKey()) + 1;
    }

    /** Those that are new here; refuses what contradicts, with the data of {@code place} as the reason. */
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
        var known = find(tenant.serverName());
        if (known != null) {
            int own = known.id().value();
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

    /** As people read it, such as {@code 1 = localhost, 2 = chat.example}. */
    public String text() {
        return names.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(NOBODY))
                .map(entry -> "%d = %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** The names of those that are here and not among the configured ones, with their numbers: nobody is served them. */
    public List<String> unserved(Collection<Tenant> configured) {
        var served = configured.stream().map(tenant -> tenant.id().value()).collect(Collectors.toSet());
        return names.entrySet().stream()
                .filter(entry ->
                        !served.contains(entry.getKey()) && !entry.getValue().equals(NOBODY))
                .map(entry -> "%s (%d)".formatted(entry.getValue(), entry.getKey()))
                .toList();
    }
}
