package rookery.platform.log;

import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceClient;

/** The service that owns a log, as its followers ask it. */
public final class LogOwner {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ServiceClient services;
    private final String service;

    /** @param service such as {@code room-service} */
    public LogOwner(ServiceClient services, String service) {
        this.services = services;
        this.service = service;
    }

    /** The ends of all shards. */
    public Mono<Heads> heads() {
        return services.get(service, "heads", "/internal/log/heads", LogApi.HeadsAnswer.class)
                .map(answer -> new Heads(answer.epoch(), Positions.of(answer.positions())))
                .timeout(PATIENCE);
    }

    /** Blocks: only the tail's own thread asks so. */
    Heads headsNow() {
        return Objects.requireNonNull(
                heads().onErrorMap(OwnerAwayException::new).block());
    }

    Mono<Range> range(int shard, long after) {
        String path = "/internal/log/" + shard + "?after=" + after;
        return services.get(service, "shard " + shard, path, Range.class).timeout(PATIENCE);
    }

    /** Blocks, as above. */
    Range rangeNow(int shard, long after) {
        return Objects.requireNonNull(
                range(shard, after).onErrorMap(OwnerAwayException::new).block());
    }
}
