// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;

/**
 * Scrapes the metrics of all instances, at most once per interval and in the background only while the page is read. After an
 * instance has stopped answering, its latest metrics stay on the page for {@code kept-for}.
 */
@Component
public class MetricsCollector {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Longer than the interval of any regular reader. After a longer pause, the next reader waits for a new scrape. */
    private static final Duration READ_WITHIN = Duration.ofMinutes(3);

    private static final int INTERVALS_FRESH = 3;
    private static final int ANSWER_BYTES_MAX = 8 << 20;

    private final Instances instances;
    private final MetricsProperties properties;
    private final Clock clock;
    private final WebClient http;
    private final Mono<Page> collection;
    private final Map<String, Scrape> last = new ConcurrentHashMap<>();
    private volatile @Nullable Page page;
    private volatile long askedAt;

    MetricsCollector(Instances instances, MetricsProperties properties, Clock clock, ReactorResourceFactory resources) {
        this.instances = instances;
        this.properties = properties;
        this.clock = clock;
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        resources, (HttpClient client) -> client.responseTimeout(PATIENCE)))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(ANSWER_BYTES_MAX))
                .build();
        this.collection = Mono.defer(this::collected).cache(properties.interval());
    }

    private record Page(String text, long at) {}

    /** The page in Prometheus text format. */
    public Mono<String> page() {
        askedAt = clock.millis();
        var made = page;
        return made != null && isWithin(made.at, properties.interval().multipliedBy(INTERVALS_FRESH))
                ? Mono.just(made.text)
                : collection.map(Page::text);
    }

    @Scheduled(fixedDelayString = "${rookery.admin.metrics.interval}")
    Mono<Void> collect() {
        return Mono.defer(() -> isWithin(askedAt, READ_WITHIN) ? collection.then() : Mono.empty());
    }

    private boolean isWithin(long at, Duration age) {
        return clock.millis() - at <= age.toMillis();
    }

    private Mono<Page> collected() {
        return Flux.fromIterable(instances.all())
                .flatMap(this::scraped)
                .collectList()
                .map(this::merged)
                .doOnNext(made -> page = made);
    }

    private Mono<Scrape> scraped(Instance instance) {
        if (instance.management() == null) {
            return Mono.empty();
        }
        return http.get()
                .uri(URI.create("http://" + instance.management() + "/actuator/prometheus"))
                .header("Accept", "text/plain; version=0.0.4; charset=utf-8")
                .retrieve()
                .bodyToMono(String.class)
                .timeout(PATIENCE)
                .map(text -> new Scrape(instance.name(), text, clock.millis()))
                .onErrorResume(_ -> Mono.empty());
    }

    private Page merged(List<Scrape> answered) {
        answered.forEach(scrape -> last.put(scrape.node(), scrape));
        last.values().removeIf(scrape -> !isWithin(scrape.at(), properties.keptFor()));
        var running = answered.stream().map(Scrape::node).collect(Collectors.toSet());
        return new Page(MetricsPage.of(new TreeMap<>(last).values(), running), clock.millis());
    }
}
