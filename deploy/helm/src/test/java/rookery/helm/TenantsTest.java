// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.helm.RenderedChart.one;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Many tenants in the chart, within the limits of Kubernetes, and the routes to their hosts. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@ResourceLock(RenderedChart.KUBECONFIG)
class TenantsTest {
    /** Of a ConfigMap; etcd takes 1.5 MiB in one request. */
    private static final int BYTES_MAX = 1024 * 1024;

    private static final String ROUTES = """
            ingress: {enabled: true}
            httpRoute: {enabled: true, parentRefs: [{name: public}]}
            apiVersions: [gateway.networking.k8s.io/v1]
            """;

    @RegisterExtension
    static final RenderedChart RENDERED = new RenderedChart();

    @Test
    void anHttpRouteHasAtMostSixteenHosts() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, ROUTES, tenants(17));

        assertThat(hosts(one(rendered, "HTTPRoute", "rookery"))).hasSize(16).contains("c1.example", "c16.example");
        assertThat(hosts(one(rendered, "HTTPRoute", "rookery-2"))).containsExactly("c17.example");
        assertThat(Manifest.maps(one(rendered, "Ingress", "rookery").spec(), "rules"))
                .hasSize(17);
    }

    @Test
    void aThousandTenantsFitTheObjectsOfKubernetes() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, ROUTES, tenants(1000));

        assertThat(rendered)
                .allSatisfy(manifest -> assertThat(manifest.toString().getBytes(StandardCharsets.UTF_8).length)
                        .as(manifest.kind() + " " + manifest.name())
                        .isLessThan(BYTES_MAX / 2));
        var routed = rendered.stream()
                .filter(manifest -> manifest.kind().equals("HTTPRoute"))
                .flatMap(route -> hosts(route).stream());
        assertThat(routed).hasSize(1000).doesNotHaveDuplicates();
        var files = Manifest.map(one(rendered, "ConfigMap", "rookery").content(), "data");
        assertThat(Manifest.text(files, "tenants.yml")).contains("server-name: c1000.example");
        assertThat(files)
                .allSatisfy((name, text) -> assertThat(text.toString().contains("c1000.example"))
                        .as(name)
                        .isEqualTo(name.equals("tenants.yml")));
    }

    @Test
    void everyProcessReadsTheFileOfTenants() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, "configCheck: {enabled: true}");

        var files = Manifest.map(one(rendered, "ConfigMap", "rookery").content(), "data");
        assertThat(files.entrySet())
                .filteredOn(
                        file -> file.getKey().endsWith(".yml") && !file.getKey().equals("tenants.yml"))
                .hasSize(8)
                .allSatisfy(file -> assertThat(file.getValue().toString()).contains("import: tenants.yml"));
        assertThat(rendered.stream().filter(manifest -> manifest.toString().contains("mountPath=/rookery/config")))
                .hasSize(9)
                .filteredOn(manifest -> !manifest.name().equals("rookery-config-check")) // mounts every file
                .allSatisfy(manifest -> assertThat(manifest.toString()).contains("key=tenants.yml"));
    }

    @Test
    void anotherTenantRestartsTheServices() throws Exception {
        assertThat(checksum(tenants(2))).isNotEqualTo(checksum(tenants(3)));
    }

    @Test
    void routesAlsoLeadToHostsOfLaterTenants() throws Exception {
        var some = RENDERED.chart()
                .render(RenderedChart.PRODUCTION, ROUTES, "furtherHosts: ['*.chat.example', b.example]");
        assertThat(hosts(one(some, "HTTPRoute", "rookery")))
                .containsExactly("chat.example", "www.chat.example", "*.chat.example", "b.example");
        var ingress = one(some, "Ingress", "rookery");
        ingress.check();
        assertThat(Manifest.maps(ingress.spec(), "rules").stream().map(rule -> rule.get("host")))
                .containsExactly("chat.example", "www.chat.example", "*.chat.example", "b.example");

        var all = RENDERED.chart().render(RenderedChart.PRODUCTION, ROUTES, "furtherHosts: ['*']");
        assertThat(one(all, "HTTPRoute", "rookery").spec()).doesNotContainKey("hostnames");
        assertThat(Manifest.maps(one(all, "Ingress", "rookery").spec(), "rules"))
                .singleElement()
                .satisfies(rule -> assertThat(rule).doesNotContainKey("host").containsKey("http"));
    }

    private static Object checksum(String values) throws Exception {
        var gateway = one(RENDERED.chart().render(RenderedChart.PRODUCTION, values), "Deployment", "rookery-gateway");
        return Manifest.text(
                Manifest.map(Manifest.map(Manifest.map(gateway.spec(), "template"), "metadata"), "annotations"),
                "checksum/config");
    }

    private static List<String> hosts(Manifest route) {
        return Manifest.cast(Objects.requireNonNull(route.spec().get("hostnames")));
    }

    private static String tenants(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number ->
                        "{id: %d, serverName: c%d.example, hosts: [c%d.example]}".formatted(number, number, number))
                .collect(Collectors.joining(", ", "tenants: [", "]"));
    }
}
