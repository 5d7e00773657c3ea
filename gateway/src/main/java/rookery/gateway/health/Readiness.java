// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.platform.http.ServiceCredential;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;
import rookery.platform.registry.TenantFollower;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Polls the readiness of the services at most once a second. Chat requires the needed services; without the other services only
 * their own features fail.
 */
@Component
class Readiness {
    private static final List<String> NEEDED = List.of("auth-service", "room-service", "sync-service");
    private static final List<String> OTHERS = List.of("directory-service", "push-service", "admin-service");

    /** The contract's checks; services report these checks and possibly more. */
    private static final List<String> NAMES = List.of("database", "migrations", "queue");

    private static final List<String> BETTER_TO_WORSE = List.of("ok", "degraded", "error");
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final String READY = "/internal/ready";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Instances instances;
    private final ServiceCredential credential;
    private final WebClient http;
    private final Mono<Checks> checks;

    Readiness(
            Instances instances,
            ServiceCredential credential,
            ReactorResourceFactory resources,
            TenantFollower tenants) {
        this.instances = instances;
        this.credential = credential;
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        resources, (HttpClient client) -> client.responseTimeout(PATIENCE)))
                .build();
        this.checks = Mono.zip(reports(NEEDED), reports(OTHERS), Checks::of)
                .map(checks -> checks.with("tenants", tenants.isCurrent()))
                .cache(FRESH);
    }

    Mono<Checks> checks() {
        return checks;
    }

    private Mono<List<Report>> reports(List<String> services) {
        return Flux.fromIterable(services).flatMap(this::report).collectList();
    }

    private Mono<Report> report(String service) {
        return Flux.fromIterable(instances.of(service))
                .concatMap(instance -> ask(service, instance))
                .takeUntil(Report::ready)
                .last(Report.NONE);
    }

    private Mono<Report> ask(String service, Instance instance) {
        return http.get()
                .uri(URI.create("http://" + instance.address() + READY))
                .header(ServiceCredential.HEADER, credential.sign(service, HttpMethod.GET, READY))
                .exchangeToMono(Readiness::read)
                .timeout(PATIENCE)
                .onErrorReturn(Report.NONE);
    }

    private static Mono<Report> read(ClientResponse response) {
        boolean ready = response.statusCode().is2xxSuccessful();
        return response.bodyToMono(byte[].class).map(body -> Report.of(ready, JSON.readTree(body)));
    }

    /** The best report among the instances of one service. */
    record Report(boolean ready, Map<String, String> texts) {
        static final Report NONE = new Report(false, Map.of());

        static Report of(boolean ready, JsonNode body) {
            var texts = new LinkedHashMap<String, String>();
            body.path("checks")
                    .properties()
                    .forEach(check -> texts.put(check.getKey(), check.getValue().asString("error")));
            return new Report(ready, texts);
        }
    }

    /** The combined checks: each check is the worst of all reports, but other services contribute {@code degraded} at worst. */
    record Checks(boolean passed, Map<String, String> texts) {
        static Checks of(List<Report> needed, List<Report> others) {
            boolean passed = needed.stream().allMatch(Report::ready);
            var texts = new LinkedHashMap<String, String>();
            needed.forEach(report -> report.texts.forEach((name, text) -> texts.merge(name, text, Checks::worse)));
            others.forEach(report -> report.texts.forEach(
                    (name, text) -> texts.merge(name, text.equals("error") ? "degraded" : text, Checks::worse)));
            boolean all = others.stream().allMatch(Report::ready);
            for (String name : NAMES) {
                texts.putIfAbsent(name, passed ? "ok" : "error");
            }
            texts.put("services", !passed ? "error" : all ? "ok" : "degraded");
            texts.putIfAbsent("media", "off");
            return new Checks(passed, texts);
        }

        /** With a check of the gateway itself. */
        Checks with(String name, boolean passes) {
            var all = new LinkedHashMap<>(texts);
            all.put(name, passes ? "ok" : "error");
            return new Checks(passed && passes, all);
        }

        private static String worse(String a, String b) {
            return BETTER_TO_WORSE.indexOf(a) > BETTER_TO_WORSE.indexOf(b) ? a : b;
        }
    }
}
