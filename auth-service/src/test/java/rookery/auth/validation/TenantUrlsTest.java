// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidPolicies;
import rookery.auth.threepid.ThreepidProperties;
import rookery.auth.threepid.ThreepidProperties.Policy;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantProperties.Entry;
import rookery.platform.tenant.Tenants;

class TenantUrlsTest {
    private static final ThreepidProperties THREEPIDS = new ThreepidProperties(
            Duration.ofHours(24),
            Duration.ofMinutes(10),
            5,
            5,
            Duration.ofHours(1),
            1000,
            200,
            new Policy(true, false, List.of(), null, null, null, null));

    @ParameterizedTest
    @CsvSource({
        "https://chat.example,        b.example,       https://chat.example",
        "https://{server-name},       b.example,       https://b.example",
        "http://{server-name}:8008/,  b.example,       http://b.example:8008",
        "http://{server-name}:8008,   b.example:18080, http://b.example:8008",
        "http://{server-name}:8008,   [::1],           http://[::1]:8008",
    })
    void theUrlOfAllTenantsMayContainTheirNames(String configured, String serverName, String expected) {
        var entry = new Entry(1, serverName, List.of(), true, true, "11", Map.of());
        var tenants = new Tenants(new TenantProperties(List.of(entry), null));
        var urls =
                new TenantUrls(new PublicUrlProperties(configured), tenants, new ThreepidPolicies(THREEPIDS, tenants));

        assertThat(urls.submission(new TenantId(1), Medium.EMAIL))
                .isEqualTo(expected + "/_api/client/v3/validate/email/submitToken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat.example", "https://", "{server-name}"})
    void otherTextsAreRefused(String configured) {
        assertThatThrownBy(() -> new PublicUrlProperties(configured)).isInstanceOf(IllegalArgumentException.class);
    }
}
