package rookery.platform.tenant;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The tenants, as configuration tells them until the registry exists; every key is explained in platform.yml.
 *
 * @param defaultTenant the tenant of unknown hosts, or null to refuse them
 */
@ConfigurationProperties("rookery")
public record TenantProperties(
        @DefaultValue List<Entry> tenants, @Nullable Integer defaultTenant) {
    /** One tenant: its number, its public name, the hosts under which clients reach it, and whether it tells who is online. */
    public record Entry(
            int id,
            @DefaultValue("") String serverName,
            @DefaultValue List<String> hosts,
            @DefaultValue("true") boolean presence) {}
}
