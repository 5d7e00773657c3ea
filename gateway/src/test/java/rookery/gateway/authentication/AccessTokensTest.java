// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import rookery.model.error.ApiException;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.TenantList;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.node.JsonNodeFactory;

class AccessTokensTest {
    private static final String SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private static final Tenants TENANTS = tenants();

    private final AccessTokens headerOnly = new AccessTokens(new AccessTokenProperties(false), TENANTS);
    private final AccessTokens both = new AccessTokens(new AccessTokenProperties(true), TENANTS);

    @ParameterizedTest
    @ValueSource(strings = {"Bearer abc", "bearer abc", "BEARER  abc "})
    void theSchemeMayBeWrittenInAnyCase(String header) {
        assertThat(headerOnly.hashOf(null, headers(header), null)).isEqualTo(SHA256_OF_ABC);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic abc", "Bearer", "Bearer ", "abc", "Bearerabc"})
    void anythingElseIsNoToken(String header) {
        assertThat(headerOnly.hashOf(null, headers(header), null)).isNull();
    }

    @Test
    void twoHeadersAreRefusedForOneOfThemWouldWin() {
        var headers = headers("Bearer abc");
        headers.add(HttpHeaders.AUTHORIZATION, "Bearer other");
        assertThatThrownBy(() -> headerOnly.hashOf(null, headers, null)).isInstanceOf(ApiException.class);
    }

    @Test
    void aTokenInTheQueryIsSeenOnlyWhereThatIsSwitchedOn() {
        assertThat(headerOnly.hashOf(null, headers(null), "a=b&access_token=abc"))
                .isNull();
        assertThat(both.hashOf(null, headers(null), "a=b&access_token=abc")).isEqualTo(SHA256_OF_ABC);
        assertThat(both.hashOf(null, headers(null), "xaccess_token=abc")).isNull();
        assertThat(both.hashOf(tenant(1), headers(null), "access_token=abc")).isEqualTo(SHA256_OF_ABC);
    }

    @Test
    void theHeaderComesFirst() {
        assertThat(both.hashOf(null, headers("Bearer abc"), "access_token=other"))
                .isEqualTo(SHA256_OF_ABC);
        assertThat(both.hashOf(null, headers("Basic x"), "access_token=abc")).isNull();
    }

    @Test
    void noServiceSeesATokenInAQuery() {
        assertThat(AccessTokens.withoutToken("a=b&access_token=abc&c=%26")).isEqualTo("a=b&c=%26");
        assertThat(AccessTokens.withoutToken("access_token=abc")).isNull();
        assertThat(AccessTokens.withoutToken("a=%2F")).isEqualTo("a=%2F");
        assertThat(AccessTokens.withoutToken(null)).isNull();
    }

    @Test
    void theSettingOfOperatorsComesBeforeTheConfiguration() {
        assertThat(headerOnly.hashOf(tenant(3), headers(null), "access_token=abc"))
                .isEqualTo(SHA256_OF_ABC);
        assertThat(both.hashOf(tenant(4), headers(null), "access_token=abc")).isNull();
    }

    /** Of the registry, with tenants 3 and 4, whose operators have allowed and forbidden tokens in the query. */
    private static Tenants tenants() {
        var tenants = new Tenants(new TenantProperties(List.of(), null));
        tenants.install(new TenantList(1, List.of(registered(3, true), registered(4, false))));
        return tenants;
    }

    private static RegisteredTenant registered(int number, boolean tokenInQuery) {
        var settings =
                TenantSettings.NONE.with(JsonNodeFactory.instance.objectNode().put("token_in_query", tokenInQuery));
        return new RegisteredTenant(number, "t" + number + ".example", List.of(), State.ACTIVE, settings);
    }

    private static Tenant tenant(int number) {
        return new Tenant(new TenantId(number), new ServerName("example.org"));
    }

    private static HttpHeaders headers(@Nullable String authorization) {
        var headers = new HttpHeaders();
        if (authorization != null) {
            headers.set(HttpHeaders.AUTHORIZATION, authorization);
        }
        return headers;
    }
}
