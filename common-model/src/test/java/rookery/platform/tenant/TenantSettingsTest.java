// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.json.StrictJson;
import rookery.platform.tenant.TenantProperties.Entry;
import tools.jackson.databind.json.JsonMapper;

class TenantSettingsTest {
    private static TenantSettings configured(Map<String, String> settings) {
        return TenantSettings.configured(new Entry(1, "a", List.of(), true, true, "11", settings));
    }

    private static TenantSettings changed(String change) {
        return TenantSettings.NONE.with(StrictJson.object(change));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "presence | 1",
                "presence | \"true\"",
                "room_version | \"9\"",
                "registration | \"somehow\"",
                "reserved_names | \"(\"",
                "terms | {\"privacy\": {\"en\": {\"name\": \"a\", \"url\": \"b\"}}}",
                "terms | {\"privacy\": {\"version\": \"1\", \"en\": {\"name\": \"a\"}}}",
                "terms | []",
                "public_url | \"chat.example\"",
                "public_url | \"ftp://chat.example\"",
                "public_url | \"https://chat example\"",
                "discovery_keys | {\"m.homeserver\": {}}",
                "discovery_keys | {\"org.matrix.msc4143.rtc_foci\": {}}",
                "support | {}",
                "support | {\"contacts\": [{\"role\": \"m.role.admin\"}]}",
                "mail_from | \"a\\r\\nBcc: b@c.example\"",
                "next_link_hosts | [1]",
                "next_link_hosts | \"a.example\"",
                "max_users | -1",
                "max_users | 1.5",
                "max_users | 99999999999999999999",
                "no_setting | true",
            })
    void otherValuesAreRefused(String name, String value) {
        assertThatThrownBy(() -> changed("{\"%s\": %s}".formatted(name, value)))
                .isInstanceOf(ApiException.class)
                .satisfies(refusal ->
                        assertThat(((ApiException) refusal).code.name()).isEqualTo("M_INVALID_PARAM"));
    }

    @Test
    void longValuesAreRefused() {
        assertThatThrownBy(() -> changed("{\"discovery_keys\": {\"a\": \"%s\"}}".formatted("x".repeat(17_000))))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> changed("{\"reserved_names\": \"%s\"}".formatted("x".repeat(3_000))))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> changed(
                        "{\"push_gateways\": [%s]}".formatted(String.join(",", Collections.nCopies(101, "\"a\"")))))
                .isInstanceOf(ApiException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\""})
    void nullAndTheEmptyTextRemoveAnySetting(String value) {
        var all = changed("""
                {"presence": false, "max_users": 7, "support": {"support_page": "https://a.example"}, "mail_from": "a@b.example",
                 "push_gateways": ["push.example"], "room_version": "12"}""");
        for (var setting : List.of("presence", "max_users", "support", "mail_from", "push_gateways")) {
            all = all.with(StrictJson.object("{\"%s\": %s}".formatted(setting, value)));
        }
        assertThat(all).isEqualTo(changed("{\"room_version\": \"12\"}"));
    }

    @Test
    void zeroRemovesALimitAndNothingElseChanges() {
        var before = changed("{\"max_users\": 7, \"max_rooms\": 8}");
        var after = before.with(StrictJson.object("{\"max_users\": 0}"));
        assertThat(after.get(TenantSettings.USERS_MAX)).isNull();
        assertThat(after.get(TenantSettings.ROOMS_MAX)).isEqualTo(8);
        assertThat(before.get(TenantSettings.USERS_MAX)).isEqualTo(7);
    }

    @Test
    void settingsOfALaterReleaseStay() {
        var json = StrictJson.object("{\"colour\": \"red\", \"registration\": \"by-pigeon\", \"max_rooms\": 8}");
        var settings = JsonMapper.shared().convertValue(json, TenantSettings.class);
        assertThat(settings.get(TenantSettings.REGISTRATION)).isNull();
        assertThat(settings.isUnreadable(TenantSettings.REGISTRATION)).isTrue();
        assertThat(settings.isUnreadable(TenantSettings.ROOMS_MAX)).isFalse();
        assertThat(settings.isUnreadable(TenantSettings.PRESENCE)).isFalse();
        var changed = settings.with(StrictJson.object("{\"max_rooms\": 9}"));
        assertThat(JsonMapper.shared().valueToTree(changed).toString())
                .isEqualTo("{\"registration\":\"by-pigeon\",\"max_rooms\":9,\"colour\":\"red\"}");
    }

    @Test
    void theConfigurationHasAllSettingsInAnySpelling() {
        var settings = configured(Map.of(
                "url-previews", "true",
                "MAXUSERS", "7",
                "push_gateways", "push.example, other.example",
                "support", "{\"support_page\": \"https://a.example\"}"));
        assertThat(settings.get(TenantSettings.URL_PREVIEWS)).isTrue();
        assertThat(settings.get(TenantSettings.USERS_MAX)).isEqualTo(7);
        assertThat(settings.get(TenantSettings.PUSH_GATEWAYS)).containsExactly("push.example", "other.example");
        assertThat(Objects.requireNonNull(settings.get(TenantSettings.SUPPORT))
                        .path("support_page")
                        .asString())
                .isEqualTo("https://a.example");
        assertThatThrownBy(() -> configured(Map.of("max-userz", "7")))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessageStartingWith(
                        "rookery.tenants: a has an unknown setting 'max-userz': name one of [presence,");
        assertThatThrownBy(() -> configured(Map.of("max-users", "many")))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessage("rookery.tenants: max_users of a is a number above 0; in a change 0 removes the setting");
    }

    @Test
    void theRegistryComesBeforeTheConfigurationAndThatBeforeTheInstallation() {
        var entry = new Entry(1, "a.example", List.of(), true, true, "11", Map.of("max-rooms", "5", "mail", "false"));
        var tenants = new Tenants(new TenantProperties(List.of(entry), null));
        var one = new TenantId(1);
        assertThat(tenants.setting(one, TenantSettings.ROOMS_MAX)).isEqualTo(5);
        tenants.install(new TenantList(
                1,
                List.of(new RegisteredTenant(
                        1, "a.example", List.of(), RegisteredTenant.State.ACTIVE, changed("{\"max_rooms\": 6}")))));
        assertThat(tenants.setting(one, TenantSettings.ROOMS_MAX)).isEqualTo(6);
        assertThat(tenants.setting(one, TenantSettings.MAIL, true)).isFalse();
        assertThat(tenants.setting(one, TenantSettings.TEXT_MESSAGES, true)).isTrue();
        assertThat(tenants.setting(new TenantId(2), TenantSettings.ROOMS_MAX)).isNull();
    }
}
