// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.event.RoomVersion;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantProperties.Entry;
import tools.jackson.databind.node.JsonNodeFactory;

class TenantsTest {
    private static Tenants tenants(@Nullable Integer fallback) {
        return new Tenants(new TenantProperties(
                List.of(
                        new Entry(1, "example.org", List.of("chat.example.org"), true, true, "11", Map.of()),
                        new Entry(2, "example.net", List.of(), true, true, "12", Map.of())),
                fallback));
    }

    private static int of(@Nullable String host) {
        var tenant = tenants(null).ofHost(host);
        return tenant == null ? 0 : tenant.id().value();
    }

    @Test
    void allSpellingsOfAHostLeadToOneTenant() {
        for (String host : new String[] {
            "example.org", "EXAMPLE.org", "example.org:8008", "example.org.", "chat.example.org", " example.org "
        }) {
            assertThat(of(host)).as(host).isEqualTo(1);
        }
        assertThat(of("example.net")).isEqualTo(2);
        assertThat(TenantIndex.canonical("[::1]:8008")).isEqualTo("[::1]");
        assertThat(TenantIndex.canonical("[::1]")).isEqualTo("[::1]");
    }

    @Test
    void anUnknownHostIsNobodyUnlessThereIsADefault() {
        assertThat(of("example.com")).isZero();
        assertThat(of(null)).isZero();
        assertThat(tenants(2).ofHost("example.com")).isEqualTo(tenants(2).ofHost("example.net"));
    }

    @Test
    void eachTenantHasItsRoomVersion() {
        assertThat(tenants(null).roomVersion(new TenantId(1))).isEqualTo(RoomVersion.V11);
        assertThat(tenants(null).roomVersion(new TenantId(2))).isEqualTo(RoomVersion.V12);
    }

    @Test
    void settingsOfOperatorsComeBeforeThoseOfTheConfiguration() {
        var tenants = new Tenants(new TenantProperties(
                List.of(
                        new Entry(1, "example.org", List.of(), false, false, "12", Map.of()),
                        new Entry(2, "example.net", List.of(), false, true, "11", Map.of())),
                null));
        tenants.install(new TenantList(
                7,
                List.of(
                        registered(
                                1,
                                "example.org",
                                TenantSettings.of(JsonNodeFactory.instance
                                        .objectNode()
                                        .put("presence", true)
                                        .put("room_version", "10"))),
                        registered(3, "example.com", TenantSettings.NONE))));

        assertThat(tenants.version()).isEqualTo(7);
        assertThat(tenants.hasPresence(new TenantId(1))).isTrue();
        assertThat(tenants.hasDelayedEvents(new TenantId(1))).isFalse();
        assertThat(tenants.roomVersion(new TenantId(1))).isEqualTo(RoomVersion.V10);
        assertThat(tenants.hasPresence(new TenantId(2)))
                .as("not in the registry yet")
                .isFalse();
        assertThat(tenants.hasPresence(new TenantId(3))).isTrue();
        assertThat(tenants.ofHost("example.com")).isNotNull();
        assertThatThrownBy(() ->
                        tenants.install(new TenantList(8, List.of(registered(4, "example.org", TenantSettings.NONE)))))
                .isInstanceOf(TenantsRefusedException.class);
        assertThat(tenants.version()).isEqualTo(7);
    }

    private static RegisteredTenant registered(int number, String name, TenantSettings settings) {
        return new RegisteredTenant(number, name, List.of(), RegisteredTenant.State.ACTIVE, settings);
    }

    private static void assertRefused(String sentence, Entry... entries) {
        assertThatThrownBy(() -> new Tenants(new TenantProperties(List.of(entries), null)))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessage("rookery.tenants: " + sentence);
    }

    private static Entry entry(int number, String name, String... hosts) {
        return new Entry(number, name, List.of(hosts), true, true, "11", Map.of());
    }

    @Test
    void aHostANumberAndANameBelongToOneTenant() {
        assertRefused("a and b claim the same host C: leave it to one of them", entry(1, "a", "c"), entry(2, "b", "C"));
        assertRefused(
                "a and b have the same id 1: give each the number that it has in the data",
                entry(1, "a"),
                entry(1, "b"));
        assertRefused(
                "a is there twice, with the ids 1 and 2: leave the one that it has in the data",
                entry(1, "a"),
                entry(2, "a"));
        assertThatThrownBy(() -> tenants(3))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessageStartingWith("rookery.default-tenant: there is no tenant with the id 3");
    }

    @Test
    void whatIsNoTenantIsRefused() {
        assertRefused(
                "a has no number: set its id to one above 0 that no other tenant ever had",
                entry(0, "a"),
                entry(1, "b"));
        assertRefused(
                "'a b' is no server name: set the server-name of number 1 to one such as chat.example",
                entry(1, "a b"));
        assertRefused(
                "room_version of a is one of [10, 11, 12]", new Entry(1, "a", List.of(), true, true, "13", Map.of()));
    }
}
