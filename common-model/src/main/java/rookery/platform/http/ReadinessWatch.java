package rookery.platform.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
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
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;

/**
 * Asks the instances of services that this process calls once a second whether they are ready, where there are several of a service,
 * and has those asked last that were not, or did not answer, twice running: a process that hangs takes connections and would keep its
 * keys for ever. One answer brings an instance back.
 */
@Component
public final class ReadinessWatch implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(ReadinessWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int FAILURES_MAX = 2;
    private static final String READY = "/internal/ready";

    private final Instances instances;
    private final ServiceCredential credential;
    private final WebClient http;
    private final Thread thread;
    /** Questions that failed since the last one that did not, by address. */
    private final Map<String, Integer> failures = new HashMap<>();

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
                .description("instances of other services that this process asks last because they are not ready")
                .register(meters);
        this.thread = Thread.ofPlatform().name("readiness").daemon().start(this::watch);
    }

    /** Until it is interrupted. On a thread of its own: those of the scheduler may wait for a database that hangs. */
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
        var asked = services.values().stream().flatMap(List::stream).toList();
        failures.keySet().retainAll(asked.stream().map(Instance::address).toList());
        if (!asked.isEmpty()) {
            var ready = Flux.fromIterable(services.entrySet())
                    .flatMap(service -> ready(service.getKey(), service.getValue()), asked.size())
                    .collectList()
                    .blockOptional()
                    .orElse(List.of());
            asked.forEach(instance -> note(instance, ready.contains(instance)));
        }
        tell();
    }

    private Flux<Instance> ready(String service, List<Instance> asked) {
        return Flux.fromIterable(asked).flatMap(instance -> ready(service, instance), asked.size());
    }

    /** The instance if it is ready, else nothing. */
    private Mono<Instance> ready(String service, Instance instance) {
        return http.get()
                .uri(URI.create("http://" + instance.address() + READY))
                .header(ServiceCredential.HEADER, credential.sign(service, HttpMethod.GET, READY))
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().is2xxSuccessful()))
                .timeout(PATIENCE, Mono.just(false))
                .onErrorReturn(false)
                .filter(Boolean::booleanValue)
                .map(_ -> instance);
    }

    private void note(Instance instance, boolean ready) {
        if (ready) {
            failures.remove(instance.address());
        } else {
            failures.merge(instance.address(), 1, Integer::sum);
        }
    }

    private void tell() {
        var now = failures.entrySet().stream()
                .filter(each -> each.getValue() >= FAILURES_MAX)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        if (!now.equals(unready)) {
            log.atWarn().addKeyValue("addresses", now).log("instances that are not ready, asked last from now on");
            unready = now;
        }
        instances.askLast(now);
    }

    @Override
    public void destroy() {
        thread.interrupt();
    }
}
