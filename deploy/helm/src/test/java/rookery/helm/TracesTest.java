// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Traces are off by default; with an endpoint each service sends traces and its network policy permits that. */
@ResourceLock(RenderedChart.KUBECONFIG)
class TracesTest {
    private static final String AGENT = "-javaagent:/rookery/opentelemetry-javaagent.jar";

    @RegisterExtension
    static final RenderedChart RENDERED = new RenderedChart();

    @Test
    void noneAreMadeUnlessAskedFor() throws Exception {
        assertThat(RENDERED.chart().render(RenderedChart.PRODUCTION).toString())
                .doesNotContain("javaagent")
                .doesNotContain("OTEL_");
    }

    @Test
    void eachServiceSendsThemWhereTheChartSays() throws Exception {
        var rendered = RENDERED.chart()
                .render(
                        RenderedChart.PRODUCTION,
                        "{traces: {endpoint: 'http://collector.example:4318'}, pods: {javaOptions: -Xlog:gc}}");

        var deployments = rendered.stream()
                .filter(manifest ->
                        manifest.kind().equals("Deployment") && !manifest.name().equals("rookery-admin"))
                .toList();
        assertThat(deployments)
                .hasSize(7)
                .allSatisfy(deployment -> assertThat(deployment.toString())
                        .contains("http://collector.example:4318", "/rookery/jvm.options"));
        var files = rendered.stream()
                .filter(manifest ->
                        manifest.kind().equals("ConfigMap") && manifest.name().equals("rookery"))
                .map(manifest -> Manifest.map(manifest.content(), "data"))
                .findFirst()
                .orElseThrow();
        assertThat(files.entrySet())
                .filteredOn(file -> file.getKey().endsWith(".options"))
                .hasSize(7)
                .allSatisfy(file -> assertThat(file.getValue().toString()).endsWith(AGENT + " -Xlog:gc"));
        var policies = rendered.stream()
                .filter(manifest -> manifest.kind().equals("NetworkPolicy"))
                .filter(manifest ->
                        manifest.name().endsWith("-service") || manifest.name().endsWith("gateway"))
                .toList();
        assertThat(policies)
                .hasSize(7)
                .allSatisfy(policy -> assertThat(policy.spec().toString()).contains("port=4318"));
    }
}
