// SPDX-License-Identifier: Apache-2.0
package rookery.auth.call;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** The TURN servers of calls; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.turn")
record TurnProperties(
        @DefaultValue List<String> uris,
        @DefaultValue("") String sharedSecret,
        @DefaultValue("24h") Duration life,
        @DefaultValue Map<Integer, TurnServer> tenants) {
    private static final String KEY = "rookery.auth.turn";

    /**
     * TURN servers with one secret.
     *
     * @param life of credentials
     */
    record TurnServer(
            @DefaultValue List<String> uris,
            @DefaultValue("") String sharedSecret,
            @DefaultValue("24h") Duration life) {
        private void require(String key) {
            if (!uris.isEmpty() && sharedSecret.isEmpty()) {
                throw new IllegalArgumentException(
                        key + ".shared-secret: set the static-auth-secret of the TURN server, or remove the uris");
            }
            if (life.toSeconds() < 1) {
                throw new IllegalArgumentException(key + ".life: set a time such as 24h");
            }
        }

        @Override
        public String toString() {
            return "TurnServer[uris=" + uris + ", life=" + life + "]";
        }
    }

    TurnProperties {
        new TurnServer(uris, sharedSecret, life).require(KEY);
        tenants.forEach((tenant, server) -> server.require(KEY + ".tenants." + tenant));
    }

    /** Null for a tenant without a TURN server. */
    @Nullable
    TurnServer of(TenantId tenant) {
        var server = tenants.getOrDefault(tenant.value(), new TurnServer(uris, sharedSecret, life));
        return server.uris.isEmpty() ? null : server;
    }

    @Override
    public String toString() {
        return "TurnProperties[uris=" + uris + ", life=" + life + ", tenants=" + tenants + "]";
    }
}
