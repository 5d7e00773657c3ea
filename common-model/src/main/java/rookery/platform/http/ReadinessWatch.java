// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;

/**
 * Checks the readiness of other services' instances once a second, for services with several instances. Instances that fail two
 * checks in a row are called last: a hanging process accepts connections and would keep its keys for ever. One success brings an
 * instance back. An instance that announces its stop counts as stopping until it is ready again ({@link Instances#isStopping}).
 */
@Component
public final class ReadinessWatch implements DisposableBean {
    /** Response header of an instance that is stopping, as opposed to one that is unready, for example without its database. */
    public static final String STOPPING_HEADER = "X-Rookery-Stopping";

    private static final Logger log = LoggerFactory.getLogger(ReadinessWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int FAILURES_MAX = 2;
    private static final String READY = "/internal/ready";

    private final Instances instances;
    private final ServiceCredential credential;
    private final WebClient http;
    private final Thread thread;
    /** The number of failed checks since the last success, by address. */
    private final Map<String, Integer> failures = new HashMap<>();

    private final Set<String> stopping = new HashSet<>();

    private volatile Set<String> unready = Set.of();

    public ReadinessWatch(
            Instances instances, ServiceCredential credential, ReactorResourceFactory resources, MeterRegistry meters) {
        this.instances = instances;
        this.credential = credential;
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        resources, (HttpClient client) -> client.responseTimeout(PATIENCE)))
                .build();
        Gauge.builder("instances_unready", this, watch -> watch.unready.size())
                .description("instances of other services that this process calls last because they are not ready")
                .register(meters);
        this.thread = Thread.ofPlatform().name("readiness").daemon().start(this::watch);
    }

    /** Runs until interrupted, on its own thread, because the scheduler's threads may wait for a hanging database. */
    private void watch() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        var services = instances.withAlternatives();
        var watched = services.values().stream().flatMap(List::stream).toList();
        var addresses = watched.stream().map(Instance::address).toList();
        failures.keySet().retainAll(addresses);
        stopping.retainAll(addresses);
        if (!watched.isEmpty()) {
            Flux.fromIterable(services.entrySet())
                    .flatMap(service -> states(service.getKey(), service.getValue()), watched.size())
                    .collectList()
                    .blockOptional()
                    .orElse(List.of())
                    .forEach(this::note);
        }
        publish();
    }

    private Flux<State> states(String service, List<Instance> watched) {
        return Flux.fromIterable(watched).flatMap(instance -> state(service, instance), watched.size());
    }

    private Mono<State> state(String service, Instance instance) {
        var silent = new State(instance.address(), false, false);
        return http.get()
                .uri(URI.create("http://" + instance.address() + READY))
                .header(ServiceCredential.HEADER, credential.sign(service, HttpMethod.GET, READY))
                .exchangeToMono(response -> response.releaseBody().thenReturn(State.of(instance, response)))
                .timeout(PATIENCE, Mono.just(silent))
                .onErrorReturn(silent);
    }

    /** The answer of an instance; neither ready nor stopping without an answer. */
    private record State(String address, boolean ready, boolean stopping) {
        static State of(Instance instance, ClientResponse response) {
            return new State(
                    instance.address(),
                    response.statusCode().is2xxSuccessful(),
                    !response.headers().header(STOPPING_HEADER).isEmpty());
        }
    }

    private void note(State state) {
        if (state.ready) {
            failures.remove(state.address);
            stopping.remove(state.address);
            return;
        }
        failures.merge(state.address, 1, Integer::sum);
        if (state.stopping) {
            stopping.add(state.address);
        }
    }

    private void publish() {
        var now = failures.entrySet().stream()
                .filter(each -> each.getValue() >= FAILURES_MAX)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        if (!now.equals(unready)) {
            log.atWarn().addKeyValue("addresses", now).log("instances that are not ready are called last from now on");
            unready = now;
        }
        instances.rankLast(now);
        instances.areStopping(Set.copyOf(stopping));
    }

    @Override
    public void destroy() {
        thread.interrupt();
    }
}
