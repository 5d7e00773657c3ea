// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static rookery.helm.RenderedChart.one;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/** What the chart renders, for every switch of its values, judged by the models of the newest Kubernetes. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64") // where the library with Helm inside runs
@ResourceLock(RenderedChart.KUBECONFIG)
class ChartTest {
    private static final List<String> SERVICES = List.of(
            "admin-service",
            "auth-service",
            "directory-service",
            "gateway",
            "push-service",
            "room-service",
            "sync-service");

    @RegisterExtension
    static final RenderedChart RENDERED = new RenderedChart();

    @Test
    void lintFindsNothing() {
        assertThat(RENDERED.chart().lint().isFailed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{configCheck: {enabled: true}}",
                "{prepare: {enabled: false}, configCheck: {enabled: false}, networkPolicy: {enabled: false},"
                        + " podDisruptionBudget: {enabled: false}, serviceAccount: {create: false, name: mine}}",
                "{secrets: {existingSecret: mine}, redis: {existingSecret: r, existingSecretKey: url}}",
                "{kafka: {securityProtocol: PLAINTEXT, existingSecret: '', properties: {client.id: x}, rights: false}}",
                "{services: {gateway: {autoscaling: {enabled: true}}, room-service: {autoscaling: {enabled: true}}}}",
                "{service: {type: NodePort, nodePort: 30080, annotations: {a: b}, externalTrafficPolicy: Local}}",
                "{service: {type: LoadBalancer, loadBalancerClass: x/y}, ingress: {enabled: true, className: c,"
                        + " annotations: {a: b}, tls: [{secretName: t, hosts: [chat.example]}]}}",
                "{pods: {javaOptions: -Xlog:gc, extraEnv: [{name: A, value: b}], nodeSelector: {a: b}, annotations: {c: d},"
                        + " labels: {e: f}, tolerations: [{operator: Exists}], topologySpread: false, priorityClassName: p,"
                        + " affinity: {nodeAffinity: {}}}, image: {registry: r.example, tag: '7', pullSecrets: [s]}}",
                "{networkPolicy: {ingressFrom: [{ipBlock: {cidr: 10.0.0.0/8}}], metricsFrom: [{podSelector: {}}]}}",
                "{media: {enabled: true, storageClass: nfs}}",
                "{media: {enabled: true, bucket: {name: files, existingSecret: s}}}",
                "{defaultTenant: 1, config: {rookery: {rate-limit: {max-requests: 7}}}}",
            })
    void everySwitchRendersWhatKubernetesKnows(String values) throws Exception {
        assertThatKubernetesKnows(RENDERED.chart().render(RenderedChart.PRODUCTION, values));
    }

    @Test
    void onlyRoomServiceHasTheVolumeOfMedia() throws Exception {
        var made = RENDERED.chart().render(RenderedChart.PRODUCTION, "{media: {enabled: true}}");
        assertThat(one(made, "PersistentVolumeClaim", "rookery-media").spec())
                .containsEntry("accessModes", List.of("ReadWriteMany"));
        var given = RENDERED.chart().render(RenderedChart.PRODUCTION, "{media: {enabled: true, existingClaim: mine}}");
        assertThat(given).noneMatch(manifest -> manifest.kind().equals("PersistentVolumeClaim"));
        for (var service : SERVICES) {
            var pod = one(given, "Deployment", "rookery-" + service)
                    .pods()
                    .findFirst()
                    .orElseThrow();
            boolean isMounted = pod.toString().contains("claimName=mine");
            assertThat(isMounted).as(service).isEqualTo(service.equals("room-service"));
        }
    }

    @Test
    void aBucketNeedsNoVolumeAndOnlyRoomServiceComesToIt() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, """
                media:
                  enabled: true
                  bucket: {name: files, endpoint: 'http://store.example:9000', existingSecret: keys-of-store}
                """);
        assertThat(rendered).noneMatch(manifest -> manifest.kind().equals("PersistentVolumeClaim"));
        assertThat(one(rendered, "ConfigMap", "rookery").toString())
                .contains("endpoint: http://store.example:9000")
                .doesNotContain("folder: /media");
        for (var service : SERVICES) {
            boolean isRoom = service.equals("room-service");
            var pod = one(rendered, "Deployment", "rookery-" + service)
                    .pods()
                    .findFirst()
                    .orElseThrow();
            assertThat(pod.toString().contains("keys-of-store")).as(service).isEqualTo(isRoom);
            assertThat(one(rendered, "NetworkPolicy", "rookery-" + service)
                            .spec()
                            .toString()
                            .contains("port=9000"))
                    .as(service)
                    .isEqualTo(isRoom);
        }
    }

    @Test
    void builtInServersAreWhatKubernetesKnows() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.tryOut());
        assertThatKubernetesKnows(rendered);
        // "prepare" cannot run before the servers are there
        assertThat(annotations(one(rendered, "Job", "rookery-prepare-first"))).isEmpty();
        for (var server : List.of("kafka", "postgresql")) {
            assertThat(one(rendered, "StatefulSet", "rookery-" + server).spec()).containsKey("volumeClaimTemplates");
        }
    }

    private static void assertThatKubernetesKnows(List<Manifest> rendered) throws Exception {
        for (var manifest : rendered) {
            manifest.check();
            manifest.pods().forEach(pod -> assertThatItMayDoLittle(manifest.name(), pod));
        }
    }

    private static void assertThatItMayDoLittle(String name, Map<String, Object> pod) {
        var security = Manifest.map(pod, "securityContext");
        assertThat(security).as(name).containsEntry("runAsNonRoot", true).containsKey("seccompProfile");
        assertThat(pod).as(name).containsEntry("automountServiceAccountToken", false);
        for (var container : Manifest.maps(pod, "containers")) {
            var own = Manifest.map(container, "securityContext");
            assertThat(own).as(name).containsEntry("allowPrivilegeEscalation", false);
            assertThat(own).as(name).containsEntry("capabilities", Map.of("drop", List.of("ALL")));
            assertThat(own.get("readOnlyRootFilesystem")).as(name).isEqualTo(name.endsWith("kafka") ? null : true);
            assertThat(container).as(name).containsKey("resources");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {tenants: []}                          | tenants is empty
                    {postgresql: {host: ''}}               | postgresql.host is empty
                    {postgresql: {admin: {existingSecret: ''}}} | postgresql.admin has neither
                    {kafka: {bootstrapServers: ''}}        | kafka.bootstrapServers is empty
                    {kafka: {existingSecret: ''}}          | kafka.existingSecret is empty
                    {redis: {host: ''}}                    | redis.host and redis.existingSecret are empty
                    {serviceMonitor: {enabled: true}}      | monitoring.coreos.com/v1
                    {httpRoute: {enabled: true}}           | gateway.networking.k8s.io/v1
                    {httpRoute: {enabled: true}, apiVersions: [gateway.networking.k8s.io/v1]} | httpRoute.parentRefs is empty
                    {image: {tga: 1}}                      | additional properties 'tga' not allowed
                    {services: {rom-service: {}}}          | additional properties 'rom-service' not allowed
                    {services: {gateway: {replicas: -1}}}  | minimum
                    {builtin: {redis: {image: redis}}}     | does not match pattern
                    {tenants: [{id: 1, hosts: [a]}]}       | serverName
                    {tenants: [{id: 2, serverName: a, hosts: [a]}, {id: 2, serverName: b, hosts: [b]}]} | a and b have the same id 2
                    {tenants: [{id: 2, serverName: a, hosts: [a]}, {id: 3, serverName: a, hosts: [b]}]} | a is there twice, with the ids 2 and 3
                    {tenants: [{id: 2, serverName: a, hosts: [a, c]}, {id: 3, serverName: b, hosts: [b, C]}]} | the host c is there twice, at a and b
                    {furtherHosts: ['*.*.example']}        | does not match pattern
                    {registration: closd}                  | registration
                    {trustedProxies: [proxy.example]}      | does not match pattern
                    """)
    void saysWhatIsMissingOrWrong(String values, String message) {
        assertThatThrownBy(() -> RENDERED.chart().render(RenderedChart.PRODUCTION, values))
                .hasMessageContaining(message);
    }

    @Test
    void whatOnlySomeClustersKnowIsRenderedForThem() throws Exception {
        var values = """
                serviceMonitor: {enabled: true, labels: {release: prometheus}}
                httpRoute: {enabled: true, parentRefs: [{name: public, namespace: gateways}], requestTimeout: 90s}
                services: {sync-service: {autoscaling: {enabled: true, parkedRequests: 3000}}}
                apiVersions: [monitoring.coreos.com/v1, custom.metrics.k8s.io/v1beta1, gateway.networking.k8s.io/v1]
                """;
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, values);

        assertThat(one(rendered, "HTTPRoute", "rookery").apiVersion()).isEqualTo("gateway.networking.k8s.io/v1");
        assertThat(one(rendered, "ServiceMonitor", "rookery").spec()).containsKey("selector");
        var scaling = one(rendered, "HorizontalPodAutoscaler", "rookery-sync-service");
        scaling.check();
        assertThat(Manifest.maps(scaling.spec(), "metrics"))
                .hasSize(2)
                .last()
                .satisfies(metric -> assertThat(metric)
                        .containsEntry(
                                "pods",
                                Map.of(
                                        "metric",
                                        Map.of("name", "sync_waiters"),
                                        "target",
                                        Map.of("type", "AverageValue", "averageValue", "3000"))));
        assertThat(one(rendered, "Deployment", "rookery-sync-service").spec()).doesNotContainKey("replicas");
    }

    @Test
    void aPodIsGivenTheTimeThatItsEndTakes() throws Exception {
        var values = "drain: {preStopSeconds: 4, requestsSeconds: 40}";
        for (var kubernetes : List.of("1.20.2", "1.35.0")) {
            var rendered = RENDERED.chart().renderFor(kubernetes, RenderedChart.PRODUCTION, values);
            var deployment = one(rendered, "Deployment", "rookery-gateway");
            var pod = deployment.pods().findFirst().orElseThrow();
            assertThat(pod).containsEntry("terminationGracePeriodSeconds", 59);
            var lifecycle = Manifest.map(Manifest.maps(pod, "containers").getFirst(), "lifecycle");
            assertThat(Manifest.map(lifecycle, "preStop"))
                    .isEqualTo(
                            kubernetes.equals("1.20.2")
                                    ? Map.of("exec", Map.of("command", List.of("sleep", "4")))
                                    : Map.of("sleep", Map.of("seconds", 4)));
            assertThat(configOf(rendered, "gateway.yml")).contains("timeout-per-shutdown-phase: 40s");
        }
    }

    @Test
    void onlyReadinessAsksForMoreThanTheProcess() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION);
        for (var service : SERVICES) {
            var pod = one(rendered, "Deployment", "rookery-" + service)
                    .pods()
                    .findFirst()
                    .orElseThrow();
            var container = Manifest.maps(pod, "containers").getFirst();
            Map.of("startupProbe", "liveness", "livenessProbe", "liveness", "readinessProbe", "readiness")
                    .forEach((probe, path) -> assertThat(Manifest.map(Manifest.map(container, probe), "httpGet"))
                            .isEqualTo(Map.of("path", "/actuator/health/" + path, "port", "management")));
        }
    }

    @Test
    void secretsAreLongAndStayOverUpgrades() throws Exception {
        var first = secretOf(RENDERED.chart().render(RenderedChart.tryOut()), "rookery");
        var other = secretOf(RENDERED.chart().render(RenderedChart.tryOut()), "rookery");
        assertThat(first.keySet())
                .isEqualTo(other.keySet())
                .contains("keys-room-service", "database-room", "redis.conf");
        first.forEach((name, value) -> {
            assertThat(value).as(name).isNotEqualTo(other.get(name));
            assertThat(value.length()).as(name).isGreaterThanOrEqualTo(43);
        });
        assertThat(Set.copyOf(first.values())).hasSameSizeAs(first.values());

        var kept = one(RENDERED.chart().render(RenderedChart.tryOut()), "Secret", "rookery");
        Manifest.map(kept.content(), "data").remove("database-push"); // as if a later version needed one more
        try {
            RENDERED.cluster().putSecret("chat", kept.content());
            var upgraded = secretOf(RENDERED.chart().render(RenderedChart.tryOut()), "rookery");
            assertThat(upgraded).containsAllEntriesOf(secretOf(List.of(kept), "rookery"));
            assertThat(upgraded.get("database-push")).hasSizeGreaterThanOrEqualTo(43);
        } finally {
            RENDERED.cluster().clear();
        }
    }

    @Test
    void jobsBeforeAnInstallationReadACopyOfTheSecretsThatStay() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION, "configCheck: {enabled: true}");
        assertThat(secretOf(rendered, "rookery-hook")).isEqualTo(secretOf(rendered, "rookery"));
        assertThat(configOf(rendered, "tenants.yml")).contains("server-name: chat.example");
        assertThat(secretOf(rendered, "rookery").get("redis-url"))
                .isEqualTo("rediss://rookery:a%2Fb@redis.example:6379");
        var hooks = rendered.stream()
                .filter(manifest -> annotations(manifest).containsKey(Chart.HOOK))
                .collect(Collectors.toMap(
                        manifest -> manifest.kind() + " " + manifest.name(),
                        manifest -> Integer.valueOf(Manifest.text(annotations(manifest), "helm.sh/hook-weight"))));
        assertThat(hooks)
                .isEqualTo(Map.of(
                        "Secret rookery-hook", -20,
                        "ConfigMap rookery-hook", -20,
                        "Job rookery-config-check", -10,
                        "Job rookery-prepare", 0));
    }

    /** design.md 1, as the services' sources have it: who calls whom. */
    @Test
    void networkPoliciesLetInWhoCalls() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.tryOut());
        var letIn = new TreeMap<String, String>();
        for (var manifest : rendered) {
            if (manifest.kind().equals("NetworkPolicy")) {
                letIn.put(manifest.name().substring("rookery-".length()), peers(manifest));
            }
        }
        var all = "auth-service directory-service gateway push-service room-service sync-service";
        assertThat(letIn)
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("gateway", "anybody"),
                        Map.entry("admin-service", all),
                        Map.entry(
                                "auth-service",
                                "admin-service directory-service gateway push-service room-service sync-service"),
                        Map.entry(
                                "room-service",
                                "admin-service auth-service directory-service gateway push-service room-service"
                                        + " sync-service"),
                        Map.entry("sync-service", "admin-service auth-service gateway"),
                        Map.entry("directory-service", "admin-service directory-service gateway room-service"),
                        Map.entry(
                                "push-service",
                                "admin-service auth-service gateway push-service room-service sync-service"),
                        Map.entry("admin", "nobody"),
                        Map.entry("prepare", "nobody"),
                        Map.entry(
                                "postgresql",
                                "admin-service auth-service directory-service prepare push-service room-service"
                                        + " sync-service"),
                        Map.entry(
                                "kafka",
                                "auth-service directory-service kafka prepare push-service room-service sync-service"),
                        Map.entry("redis", "auth-service gateway"))));
    }

    @Test
    void everyServiceHasAKeyForEachOfItsCallsAndNoOther() throws Exception {
        var secret = secretOf(RENDERED.chart().render(RenderedChart.tryOut()), "rookery");
        var keys = new HashMap<String, Set<String>>();
        for (var service : ServiceName.values()) {
            if (service == ServiceName.OPERATOR) {
                continue;
            }
            var list =
                    List.of(secret.getOrDefault("keys-" + service.title(), "").split(",", -1));
            assertThat(new InternalProperties(list).missing(service))
                    .as(service.title())
                    .isEmpty();
            var names =
                    list.stream().map(key -> key.substring(0, key.indexOf('='))).toList();
            assertThat(names).as(service.title()).containsExactlyInAnyOrderElementsOf(service.keyNames());
            list.forEach(key -> keys.computeIfAbsent(key.substring(0, key.indexOf('=')), _ -> new HashSet<>())
                    .add(key));
        }
        assertThat(keys)
                .allSatisfy((name, values) -> assertThat(values).as(name).hasSize(1));
        assertThat(keys.values().stream().flatMap(Set::stream).map(key -> key.substring(key.indexOf('='))))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyServiceReadsItsOwnSecretsOnly() throws Exception {
        var rendered = RENDERED.chart().render(RenderedChart.PRODUCTION);
        var room = one(rendered, "Deployment", "rookery-room-service")
                .pods()
                .findFirst()
                .orElseThrow();
        var keys = Manifest.maps(room, "volumes").stream()
                .filter(volume -> volume.containsKey("projected"))
                .flatMap(volume -> Manifest.maps(Manifest.map(volume, "projected"), "sources").stream())
                .map(source -> Manifest.map(source, "secret"))
                .flatMap(secret -> Manifest.maps(secret, "items").stream()
                        .map(item -> Manifest.text(secret, "name") + " " + Manifest.text(item, "key")))
                .toList();
        assertThat(keys)
                .containsExactlyInAnyOrder(
                        "rookery keys-room-service", "rookery database-room", "kafka-logins kafka-jaas-room-service");
    }

    private static String peers(Manifest policy) {
        var rules = policy.spec().get("ingress");
        if (rules == null) {
            return "nobody";
        }
        var from = Manifest.<List<Map<String, Object>>>cast(rules).getFirst().get("from");
        return from == null
                ? "anybody"
                : Manifest.<List<Map<String, Object>>>cast(from).stream()
                        .map(peer -> Manifest.map(Manifest.map(peer, "podSelector"), "matchLabels"))
                        .map(labels -> Manifest.text(labels, "app.kubernetes.io/component"))
                        .sorted()
                        .collect(Collectors.joining(" "));
    }

    private static Map<String, Object> annotations(Manifest manifest) {
        var found = Manifest.map(manifest.content(), "metadata").get("annotations");
        return found == null ? Map.of() : Manifest.cast(found);
    }

    private static String configOf(List<Manifest> rendered, String file) {
        return Manifest.text(Manifest.map(one(rendered, "ConfigMap", "rookery").content(), "data"), file);
    }

    private static Map<String, String> secretOf(List<Manifest> rendered, String name) {
        var texts = new HashMap<String, String>();
        Manifest.map(one(rendered, "Secret", name).content(), "data")
                .forEach((key, value) -> texts.put(
                        key, new String(Base64.getDecoder().decode(value.toString()), StandardCharsets.UTF_8)));
        return texts;
    }
}
