package rookery.platform.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.platform.tenant.TenantProperties.Entry;

class TenantsTest {
    private static Tenants tenants(@Nullable Integer fallback) {
        return new Tenants(new TenantProperties(
                List.of(
                        new Entry(1, "example.org", List.of("chat.example.org"), true),
                        new Entry(2, "example.net", List.of(), true)),
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
        assertThat(Tenants.canonical("[::1]:8008")).isEqualTo("[::1]");
        assertThat(Tenants.canonical("[::1]")).isEqualTo("[::1]");
    }

    @Test
    void anUnknownHostIsNobodyUnlessThereIsADefault() {
        assertThat(of("example.com")).isZero();
        assertThat(of(null)).isZero();
        assertThat(tenants(2).ofHost("example.com")).isEqualTo(tenants(2).ofHost("example.net"));
    }

    @Test
    void aHostBelongsToOneTenantAndANumberToOneTenant() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Tenants(new TenantProperties(
                        List.of(new Entry(1, "a", List.of("c"), true), new Entry(2, "b", List.of("C"), true)), null)));
        assertThatIllegalStateException()
                .isThrownBy(() -> new Tenants(new TenantProperties(
                        List.of(new Entry(1, "a", List.of(), true), new Entry(1, "b", List.of(), true)), null)));
        assertThatIllegalStateException().isThrownBy(() -> tenants(3));
    }
}
