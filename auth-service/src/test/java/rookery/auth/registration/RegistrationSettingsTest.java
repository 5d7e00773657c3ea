// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.auth.registration.RegistrationProperties.Policy;
import rookery.auth.registration.RegistrationProperties.Text;
import rookery.model.id.TenantId;
import rookery.platform.json.StrictJson;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.TenantList;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

class RegistrationSettingsTest {
    private static final Policy GENERAL = new Policy("1", Map.of());

    private static RegistrationProperties.Settings of(String settings) {
        var tenants = new Tenants(new TenantProperties(List.of(), null));
        var registered = TenantSettings.of(StrictJson.object(settings));
        tenants.install(
                new TenantList(1, List.of(new RegisteredTenant(1, "a.example", List.of(), State.ACTIVE, registered))));
        var properties =
                new RegistrationProperties(Mode.OPEN, false, Pattern.compile("_.*"), true, Map.of("general", GENERAL));
        return new RegistrationSettings(properties, tenants).of(new TenantId(1));
    }

    @Test
    void aModeOfALaterReleaseAdmitsNobody() {
        assertThat(of("{}").mode()).isEqualTo(Mode.OPEN);
        assertThat(of("{\"registration\": \"token-email\"}").mode()).isEqualTo(Mode.TOKEN_EMAIL);
        assertThat(of("{\"registration\": \"by-pigeon\"}").mode()).isEqualTo(Mode.CLOSED);
    }

    @Test
    void termsOfATenantReplaceThoseOfTheInstallation() {
        assertThat(of("{}").terms()).containsOnly(Map.entry("general", GENERAL));
        assertThat(of("{\"terms\": {}}").terms()).isEmpty();
        assertThat(of("""
                        {"terms": {"privacy": {"version": "2", "en": {"name": "Privacy", "url": "https://a.example"}}}}""").terms())
                .containsOnly(Map.entry(
                        "privacy", new Policy("2", Map.of("en", new Text("Privacy", "https://a.example")))));
    }
}
