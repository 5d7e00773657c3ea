// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;
import rookery.platform.http.ServiceClient;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogApi;
import rookery.platform.log.append.LogState;
import rookery.platform.log.append.Range;

/** The client of the service that owns a log. */
public final class LogOwner {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ServiceClient services;
    private final String service;

    /** @param service such as {@code room-service} */
    public LogOwner(ServiceClient services, String service) {
        this.services = services;
        this.service = service;
    }

    public Mono<Heads> heads() {
        return state().map(LogState::heads);
    }

    private Mono<LogState> state() {
        return services.get(service, "heads", "/internal/log/heads", LogApi.HeadsAnswer.class)
                .map(LogApi.HeadsAnswer::state)
                .timeout(PATIENCE);
    }

    /** Blocks; called by the tail's thread only. */
    LogState stateNow() {
        return Objects.requireNonNull(
                state().onErrorMap(OwnerAwayException::new).block());
    }

    /** @param number the batch number of the position, 0 if unknown; see {@link Range} */
    Mono<Range> range(int shard, long after, long number) {
        String path = "/internal/log/" + shard + "?after=" + after + "&number=" + number;
        return services.get(service, "shard " + shard, path, Range.class).timeout(PATIENCE);
    }

    /** Blocks; called by the tail's thread only. */
    Range rangeNow(int shard, long after, long number) {
        return Objects.requireNonNull(
                range(shard, after, number).onErrorMap(OwnerAwayException::new).block());
    }
}
