// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.stats.Counts.OfAccounts;
import rookery.admin.stats.Counts.OfDirectory;
import rookery.admin.stats.Counts.OfPush;
import rookery.admin.stats.Counts.OfRooms;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.http.ServiceClient;

/** Requests the counts of all owning services in parallel and caches the result for {@code max-age}. */
@Component
public class StatsCollector {
    private static final Duration LATEST_MAX = Duration.ofHours(1);

    private final ServiceClient services;
    private final StatsProperties properties;
    private final Clock clock;
    /** One entry for each tenant. Only the gateway names tenants, so callers cannot make the map grow. */
    private final Map<TenantId, Mono<Counts>> recent = new ConcurrentHashMap<>();

    private final Map<TenantId, Counts> latest = new ConcurrentHashMap<>();
    /** Tenants whose latest counts were shown and are to be counted again. */
    private final Set<TenantId> outdated = ConcurrentHashMap.newKeySet();

    StatsCollector(ServiceClient services, StatsProperties properties, Clock clock) {
        this.services = services;
        this.properties = properties;
        this.clock = clock;
    }

    /** 503 if an owning service does not answer: a missing number is not zero. */
    public Mono<Counts> of(TenantId tenant) {
        return recent.computeIfAbsent(tenant, this::remembered);
    }

    /**
     * The latest counts, at most an hour old, for a page that shows the time of the counts. Counting a large tenant takes longer than a
     * page may take, so new counts are read after the answer. Without counts of this hour, the same as {@link #of}.
     */
    public Mono<Counts> latest(TenantId tenant) {
        var known = latest.get(tenant);
        if (known == null || clock.millis() - known.at() > LATEST_MAX.toMillis()) {
            return of(tenant);
        }
        outdated.add(tenant);
        return Mono.just(known);
    }

    @Scheduled(fixedDelayString = "PT1S")
    Mono<Void> countAgain() {
        return Mono.defer(() -> Flux.fromIterable(List.copyOf(outdated))
                .doOnNext(outdated::remove)
                .concatMap(tenant -> of(tenant).onErrorComplete())
                .then());
    }

    private Mono<Counts> remembered(TenantId tenant) {
        return Mono.defer(() -> counted(tenant))
                .doOnNext(counts -> latest.put(tenant, counts))
                .cache(_ -> properties.maxAge(), _ -> Duration.ZERO, () -> Duration.ZERO);
    }

    private Mono<Counts> counted(TenantId tenant) {
        return Mono.zip(
                        read("auth-service", tenant, OfAccounts.class),
                        read("room-service", tenant, OfRooms.class),
                        read("directory-service", tenant, OfDirectory.class),
                        read("push-service", tenant, OfPush.class))
                .map(all -> new Counts(all.getT1(), all.getT2(), all.getT3(), all.getT4(), clock.millis()));
    }

    private <T> Mono<T> read(String owner, TenantId tenant, Class<T> answer) {
        return services.get(owner, "stats " + tenant.value(), "/internal/stats?tenant=" + tenant.value(), answer)
                .onErrorMap(_ -> ApiException.unavailable(owner + " does not count at the moment, try again soon"));
    }
}
