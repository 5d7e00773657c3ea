// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class KnownKeysTest {
    private static final KnownKeys KEYS = KnownKeys.load();

    private static boolean knows(String name) {
        return KEYS.knows(ConfigurationPropertyName.of(name));
    }

    @Test
    void listsMapsAndNestedKeysAreKnown() {
        assertThat(knows("rookery.sync.ring.all-bytes-max")).isTrue();
        assertThat(knows("rookery.sync.ring.allbytesmax")).isTrue();
        assertThat(knows("rookery.tenants[3].hosts[1]")).isTrue();
        assertThat(knows("rookery.tenants[3].hosts")).isTrue();
        assertThat(knows("rookery.instances.names.room-service")).isTrue();
        assertThat(knows("rookery.instances.addresses.room-service[1]")).isTrue();
        assertThat(knows("rookery.tenants[3].settings.max-users")).isTrue();
        assertThat(knows("rookery.prepare.kafka.client[bootstrap.servers]")).isTrue();
    }

    @Test
    void aMisspeltKeyIsNotAndTheNearestOneIsNamed() {
        assertThat(knows("rookery.sync.rng.all-bytes-max")).isFalse();
        assertThat(knows("rookery.tenants.id")).isFalse();
        assertThat(KEYS.nearest(ConfigurationPropertyName.of("rookery.sync.rng.all-bytes-max")))
                .isEqualTo("rookery.sync.ring.all-bytes-max");
        assertThat(KEYS.nearest(ConfigurationPropertyName.of("rookery.internal.key")))
                .isEqualTo("rookery.internal.keys[]");
        assertThat(KEYS.nearest(ConfigurationPropertyName.of("rookery.something-that-never-was")))
                .isNull();
    }

    @Test
    void anOldSettingOfATenantNamesTheNewPlace() {
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "file",
                        Map.of(
                                "rookery.auth.profile.tenants.2",
                                "true",
                                "rookery.auth.public-base-urls.2",
                                "https://a")));
        assertThat(UnknownKeys.complaints(environment))
                .hasSize(2)
                .allSatisfy(complaint -> assertThat(complaint)
                        .endsWith("settings of a tenant are in rookery.tenants[].settings, and operators change them"
                                + " with deploy/admin tenant set"));
    }

    @Test
    void theEnvironmentIsReadAsSpringReadsIt() {
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "ROOKERY_SYNC_RING_ALLBYTESMAX", "1MB",
                                        "ROOKERY_SYNC_RING_ALL_BYTES_MAX", "1MB",
                                        "ROOKERY_TENANTS_0_SERVERNAME", "example.org",
                                        "ROOKERY_INSTANCES_NAMES_AUTH-SERVICE", "auth-service:8080",
                                        "ROOKERY_GATEWAY_SERVICE_HOST", "10.0.0.1",
                                        "ROOKERY_GATEWAY_PORT_8080_TCP_ADDR", "10.0.0.1",
                                        "ROOKERY_SYNC_RNG_ALLBYTESMAX", "1MB")));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("a file", Map.of("rookery.redis.ulr", "redis://localhost")));

        assertThat(UnknownKeys.complaints(environment))
                .satisfiesExactlyInAnyOrder(
                        complaint -> assertThat(complaint)
                                .contains("ROOKERY_SYNC_RNG_ALLBYTESMAX")
                                .endsWith("did you mean rookery.sync.ring.all-bytes-max?"),
                        complaint -> assertThat(complaint)
                                .startsWith("rookery.redis.ulr is unknown")
                                .endsWith("did you mean rookery.redis.url?"));
    }
}
