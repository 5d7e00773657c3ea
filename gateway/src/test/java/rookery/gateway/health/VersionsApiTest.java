// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantProperties.Entry;
import rookery.platform.tenant.Tenants;

class VersionsApiTest {
    private static final VersionsApi API = new VersionsApi(new Tenants(new TenantProperties(
            List.of(
                    new Entry(1, "alpha.test", List.of(), true, true, "11", Map.of()),
                    new Entry(2, "beta.test", List.of(), true, false, "11", Map.of())),
            null)));

    private static @Nullable Boolean hasDelayedEvents(@Nullable String host) {
        return API.versions(host).unstableFeatures().get("org.matrix.msc4140");
    }

    @Test
    void versionsShowWhetherTheTenantHasDelayedEvents() {
        assertThat(hasDelayedEvents("alpha.test:8008")).isTrue();
        assertThat(hasDelayedEvents("beta.test")).isFalse();
        assertThat(hasDelayedEvents(null)).isFalse();
    }

    @Test
    void otherFeaturesAndVersionsAreTheSameForAllTenants() {
        assertThat(API.versions("beta.test").versions())
                .contains("v1.1", "v1.19")
                .hasSize(19);
        assertThat(API.versions("beta.test").unstableFeatures()).containsEntry("org.matrix.msc3874", true);
    }
}
