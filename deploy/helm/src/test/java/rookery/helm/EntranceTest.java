// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.helm.RenderedChart.one;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which proxies the chart's gateways trust, and who may register. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@ResourceLock(RenderedChart.KUBECONFIG)
class EntranceTest {
    private static final String HTTP_ROUTE =
            "httpRoute: {enabled: true, parentRefs: [{name: public}]}, apiVersions: [gateway.networking.k8s.io/v1]";

    @RegisterExtension
    static final RenderedChart RENDERED = new RenderedChart();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ingress: {enabled: true}                                  | - 10.0.0.0/8
                    HTTP_ROUTE                                                | - 10.0.0.0/8
                    ingress: {enabled: true}, trustedProxies: [192.0.2.0/24]  | - 192.0.2.0/24
                    trustedProxies: [192.0.2.0/24]                            | - 192.0.2.0/24
                    service: {type: LoadBalancer}                             |
                    ingress: {enabled: true}, trustedProxies: []              |
                    """)
    void theGatewaysTrustTheProxiesOfTheChart(String values, @Nullable String network) throws Exception {
        var configuration = config("gateway.yml", "{" + values.replace("HTTP_ROUTE", HTTP_ROUTE) + "}");

        if (network == null) {
            assertThat(configuration).doesNotContain("trusted-proxies");
        } else {
            assertThat(configuration).contains("trusted-proxies", network);
        }
    }

    @Test
    void whoMayRegisterIsSaidToAuthService() throws Exception {
        assertThat(config("auth-service.yml", "{}")).contains("mode: open");
        assertThat(config("auth-service.yml", "{registration: token-email}")).contains("mode: token-email");
    }

    private static String config(String file, String values) throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, values);
        return Manifest.text(Manifest.map(one(rendered, "ConfigMap", "rookery").content(), "data"), file);
    }
}
