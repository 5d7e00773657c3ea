// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The tenants in the configuration; every key is explained in platform.yml.
 *
 * @param defaultTenant the tenant of unknown hosts, or null to refuse unknown hosts
 */
@ConfigurationProperties("rookery")
public record TenantProperties(
        @DefaultValue List<Entry> tenants, @Nullable Integer defaultTenant) {
    /**
     * One tenant.
     *
     * @param hosts the hosts that clients use
     * @param delayedEvents whether users may schedule events
     * @param roomVersion the version of rooms whose maker names none
     * @param settings further settings (contract.md 20) by their names
     */
    public record Entry(
            int id,
            @DefaultValue("") String serverName,
            @DefaultValue List<String> hosts,
            @DefaultValue("true") boolean presence,
            @DefaultValue("true") boolean delayedEvents,
            @DefaultValue("11") String roomVersion,
            @DefaultValue Map<String, String> settings) {}
}
