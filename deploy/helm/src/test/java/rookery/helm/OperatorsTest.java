// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.helm.RenderedChart.one;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The chart's port of operators: who reaches it, and who has its token. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@ResourceLock(RenderedChart.KUBECONFIG)
class OperatorsTest {
    private static final String TOKEN = "key=operator-token";

    @RegisterExtension
    static final RenderedChart RENDERED = new RenderedChart();

    @Test
    void onlyAdminServiceAndThePodOfOperatorsHaveTheToken() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION);

        var holders = rendered.stream()
                .filter(manifest -> manifest.kind().equals("Deployment"))
                .filter(manifest -> manifest.toString().contains(TOKEN))
                .map(Manifest::name);
        assertThat(holders).containsExactlyInAnyOrder("rookery-admin", "rookery-admin-service");
        assertThat(Manifest.map(one(rendered, "Secret", "rookery").content(), "data"))
                .containsKey("operator-token");
    }

    @Test
    void thePodOfOperatorsReachesTheirPortAndNothingElse() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION);

        var service = one(rendered, "Service", "rookery-operators");
        service.check();
        var port = Manifest.maps(service.spec(), "ports").getFirst();
        assertThat(port).containsEntry("port", 8090).containsEntry("targetPort", "operator");
        var admin = one(rendered, "Deployment", "rookery-admin");
        assertThat(admin.toString()).contains("http://rookery-operators:8090");
        assertThat(Manifest.text(
                        Manifest.map(one(rendered, "ConfigMap", "rookery").content(), "data"), "admin-service.yml"))
                .contains("port: 8090");
        var egress =
                Manifest.maps(one(rendered, "NetworkPolicy", "rookery-admin").spec(), "egress");
        assertThat(egress)
                .hasSize(2)
                .last()
                .satisfies(rule -> assertThat(rule.toString()).contains("port=8090", "component=admin-service"));
        assertThat(operatorsPort(rendered))
                .singleElement()
                .satisfies(rule -> assertThat(rule.toString()).contains("app.kubernetes.io/component=admin}"));
    }

    @Test
    void aHosterMayLetItsOwnProgramsComeInInstead() throws Exception {
        var rendered = RENDERED.chart()
                .render(
                        RenderedChart.PRODUCTION,
                        "{admin: {enabled: false}, networkPolicy: {operatorsFrom: [{podSelector: {matchLabels: {a: b}}}]}}");

        assertThat(rendered).noneMatch(manifest -> manifest.name().equals("rookery-admin"));
        assertThat(operatorsPort(rendered))
                .singleElement()
                .satisfies(rule ->
                        assertThat(Manifest.text(rule, "from")).isEqualTo("[{podSelector={matchLabels={a=b}}}]"));
    }

    @Test
    void noOtherPeersReachThePortWithoutBoth() throws Exception {
        assertThat(operatorsPort(RENDERED.chart().render(RenderedChart.PRODUCTION, "{admin: {enabled: false}}")))
                .isEmpty();
    }

    private static List<Map<String, Object>> operatorsPort(List<Manifest> rendered) {
        return Manifest.maps(
                        one(rendered, "NetworkPolicy", "rookery-admin-service").spec(), "ingress")
                .stream()
                .filter(rule -> Manifest.text(rule, "ports").contains("operator"))
                .toList();
    }
}
