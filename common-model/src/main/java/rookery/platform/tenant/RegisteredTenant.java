// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A tenant in the registry of admin-service, and in the copies of the other services (design.md 7).
 *
 * @param hosts the hosts that clients use, without the server name, which is a host too
 * @param imported true if the tenant's data came from the export of another installation; null otherwise
 */
public record RegisteredTenant(
        @JsonProperty("tenant") int number,
        @JsonProperty("server_name") String serverName,
        List<String> hosts,
        State state,
        TenantSettings settings,
        @JsonInclude(Include.NON_NULL) @Nullable Boolean imported) {
    /** A tenant whose data are of this installation. */
    public RegisteredTenant(int number, String serverName, List<String> hosts, State state, TenantSettings settings) {
        this(number, serverName, hosts, state, settings, null);
    }

    /** Whether and for whom a tenant is served. */
    public enum State {
        ACTIVE,
        /** Requests of the tenant's users are refused; its data stay. */
        SUSPENDED,
        /** As suspended, until its data are deleted or an operator resumes the tenant. */
        DELETING,
        /** As suspended, while the services delete its data. */
        ERASING,
        /** As suspended, while its data come from the export of another installation. */
        IMPORTING,
        /** Nobody's: without data and hosts. The number and the name are never given again. */
        DELETED;

        /** Whether requests of the tenant's users are refused. */
        public boolean isSuspended() {
            return this != ACTIVE;
        }

        /** The word in the operators' API. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static RegisteredTenant of(TenantProperties.Entry entry) {
        return new RegisteredTenant(entry.id(), entry.serverName(), entry.hosts(), State.ACTIVE, TenantSettings.NONE);
    }
}
