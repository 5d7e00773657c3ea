// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantProperties.Entry;
import rookery.platform.tenant.Tenants;

/** Checks of a gateway URL before any connection (contract.md 12.7). */
class GatewayUrlsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final TenantId CHOOSY = new TenantId(2);
    private static final Tenants TENANTS = new Tenants(new TenantProperties(
            List.of(new Entry(
                    2,
                    "two.example",
                    List.of(),
                    true,
                    true,
                    "11",
                    Map.of("push-gateways", "push.example, other.example"))),
            null));
    private static final GatewayUrls STRICT = urls(false, false);

    private static GatewayUrls urls(boolean allowHttp, boolean allowPrivate) {
        return new GatewayUrls(new GatewayProperties(allowHttp, allowPrivate, Duration.ofSeconds(10)), TENANTS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://push.example",
                "https://push.example/_matrix/push/v1/notify",
                "HTTPS://Push.Example:8443/any/path?with=query",
                "https://push.example./x",
                "https://8.8.8.8/x",
                "https://[2606:4700:4700::1111]/x",
                "https://192.0.1.1/",
                "https://172.32.0.1/",
                "https://100.128.0.1/",
                "https://xn--bcher-kva.example/b%C3%BCcher",
                "https://10.example/",
                "https://localhost.example/",
            })
    void publicAddressMayBeAGateway(String url) {
        assertThat(STRICT.checked(TENANT, url).toString()).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "refused.txt", delimiter = '|', quoteCharacter = '`')
    void anythingElseIsRefused(String url) {
        assertThat(refusal(STRICT, url).code).isEqualTo(ErrorCode.M_INVALID_PARAM);
    }

    /** Half a surrogate pair has no UTF-8 form, so refused.txt cannot have one. */
    @Test
    void halfOfASurrogatePairIsRefused() {
        for (var half : List.of(Character.toString(0xd800), Character.toString(0xdfff))) {
            for (var url : List.of(
                    "https://push.example/" + half, "https://push.example/?q=" + half + "x", "https://" + half)) {
                assertThat(refusal(STRICT, url).code).isEqualTo(ErrorCode.M_INVALID_PARAM);
            }
        }
        assertThat(STRICT.checked(TENANT, "https://push.example/" + Character.toString(0x1f600))
                        .toString())
                .isEqualTo("https://push.example/%F0%9F%98%80");
    }

    @ParameterizedTest
    @CsvSource({
        "http://push.example/, true, false, true",
        "http://10.0.0.1/, true, false, false",
        "http://localhost/, true, false, false",
        "http://10.0.0.1/, false, true, false",
        "https://10.0.0.1/, false, true, true",
        "https://localhost/, false, true, true",
        "http://localhost:8080/x, true, true, true",
        "http://[::1]:8080/x, true, true, true",
        "https://0x7f.1/, true, true, false",
        "https://010.0.0.1/, true, true, false",
        "https://user@localhost/, true, true, false",
        "file:///etc/passwd, true, true, false",
    })
    void switchesAllowWhatTheySay(String url, boolean allowHttp, boolean allowPrivate, boolean isAllowed) {
        var urls = urls(allowHttp, allowPrivate);
        if (isAllowed) {
            assertThat(urls.checked(TENANT, url).toString()).isEqualTo(url);
        } else {
            assertThat(refusal(urls, url).code).isEqualTo(ErrorCode.M_INVALID_PARAM);
        }
    }

    @Test
    void gatewayIsWhatFailsTogether() {
        assertThat(STRICT.checked(TENANT, "HTTPS://Push.Example/a?b").gateway()).isEqualTo("https://push.example:443");
        assertThat(STRICT.checked(TENANT, "https://push.example:443").gateway()).isEqualTo("https://push.example:443");
        assertThat(urls(true, true).checked(TENANT, "http://[::1]/x").gateway()).isEqualTo("http://[::1]:80");
    }

    @Test
    void aTenantMayPermitSomeHostsOnly() {
        assertThat(STRICT.checked(CHOOSY, "https://Push.example/x").gateway()).isEqualTo("https://push.example:443");
        assertThatThrownBy(() -> STRICT.checked(CHOOSY, "https://a.push.example/x"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("go to other hosts only");
    }

    private static ApiException refusal(GatewayUrls urls, String url) {
        return catchThrowableOfType(ApiException.class, () -> urls.checked(TENANT, url));
    }
}
