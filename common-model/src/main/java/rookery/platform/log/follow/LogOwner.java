// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.Instance;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogApi;
import rookery.platform.log.append.LogState;
import rookery.platform.log.append.Range;

/** The client of the service that owns a log. */
public final class LogOwner {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final String HEADS = "/internal/log/heads";
    private static final String HEADS_KEY = "heads";

    private final ServiceClient services;
    private final String service;
    private volatile KnownHeads last = new KnownHeads(null, null);

    /** @param service such as {@code room-service} */
    public LogOwner(ServiceClient services, String service) {
        this.services = services;
        this.service = service;
    }

    public Mono<Heads> heads() {
        return state().map(LogState::heads);
    }

    /** The owner's instances, which {@link #state} asks one after the other. */
    List<Instance> instances() {
        return services.instances(service, HEADS_KEY);
    }

    /** Names the last known heads, which the owner does not repeat. */
    Mono<LogState> state() {
        return Mono.defer(() -> {
                    var known = last;
                    var path = known.stamp == null ? HEADS : HEADS + "?seen=" + known.stamp;
                    return services.get(service, HEADS_KEY, path, LogApi.HeadsAnswer.class)
                            .map(answer -> answer.positions() == null
                                    ? Objects.requireNonNull(known.state)
                                    : remembered(answer));
                })
                .timeout(PATIENCE);
    }

    private LogState remembered(LogApi.HeadsAnswer answer) {
        var state = answer.state();
        last = new KnownHeads(answer.stamp(), state);
        return state;
    }

    /** The last answer; an owner of an earlier release gives no stamp. */
    private record KnownHeads(
            @Nullable String stamp, @Nullable LogState state) {}

    /** Blocks; called by the tail's thread only. */
    LogState stateNow() {
        return now(state());
    }

    /** Blocks; called by the tail's thread only. */
    static <T> T now(Mono<T> answer) {
        return Objects.requireNonNull(answer.onErrorMap(OwnerAwayException::new).block());
    }

    /** @param number the batch number of the position, 0 if unknown; see {@link Range} */
    Mono<Range> range(int shard, long after, long number) {
        String path = "/internal/log/" + shard + "?after=" + after + "&number=" + number;
        return services.get(service, "shard " + shard, path, Range.class).timeout(PATIENCE);
    }

    /** Blocks; called by the tail's thread only. */
    Range rangeNow(int shard, long after, long number) {
        return now(range(shard, after, number));
    }
}
