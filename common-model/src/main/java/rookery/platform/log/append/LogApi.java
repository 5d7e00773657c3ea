// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import static org.springframework.web.reactive.function.server.RequestPredicates.GET;
import static org.springframework.web.reactive.function.server.RequestPredicates.POST;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceAccess;
import rookery.platform.http.ServiceName;

/**
 * Serves the log to followers, who read the entries that Kafka did not deliver (design.md 2). A bean of the log's owner only.
 */
public final class LogApi implements RouterFunction<ServerResponse> {
    private static final int ENTRIES_MAX = 200;

    private final LogEntries entries;
    private final Set<ServiceName> followers;
    private final RouterFunction<ServerResponse> reading;
    private final RouterFunction<ServerResponse> operating;

    /** @param followers the services that may read the log */
    public LogApi(LogEntries entries, Set<ServiceName> followers) {
        this.entries = entries;
        this.followers = followers;
        this.reading = RouterFunctions.route(GET("/internal/log/heads"), this::heads)
                .and(RouterFunctions.route(GET("/internal/log/{shard}"), this::range));
        this.operating = RouterFunctions.route(POST("/internal/admin/raise-epoch"), this::raiseEpoch)
                .and(RouterFunctions.route(POST("/internal/admin/trust-timeline"), this::trustTimeline));
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        return routed(reading, request, followers)
                .switchIfEmpty(
                        Mono.defer(() -> routed(operating, request, Set.of(ServiceName.ADMIN, ServiceName.OPERATOR))));
    }

    /** Access depends on the matched route, not on the raw path. */
    private static Mono<HandlerFunction<ServerResponse>> routed(
            RouterFunction<ServerResponse> routes, ServerRequest request, Set<ServiceName> callers) {
        return routes.route(request).doOnNext(_ -> ServiceAccess.require(request.exchange(), callers));
    }

    /** With {@code seen}, the stamp of an earlier answer, the heads are left out if they are the same. */
    private Mono<ServerResponse> heads(ServerRequest request) {
        var seen = request.queryParam("seen");
        return Mono.justOrEmpty(seen)
                .filterWhen(stamp -> entries.epochs().isAt(stamp))
                .map(HeadsAnswer::unchanged)
                .switchIfEmpty(entries.state().map(HeadsAnswer::of))
                .flatMap(answer -> ServerResponse.ok().bodyValue(answer));
    }

    private Mono<ServerResponse> range(ServerRequest request) {
        int shard = Integer.parseInt(request.pathVariable("shard"));
        long after = Long.parseLong(request.queryParam("after").orElse("0"));
        long number = Long.parseLong(request.queryParam("number").orElse("0"));
        int limit = Integer.parseInt(request.queryParam("limit").orElse(Integer.toString(ENTRIES_MAX)));
        return entries.range(shard, after, number, Math.clamp(limit, 1, ENTRIES_MAX))
                .flatMap(answer -> ServerResponse.ok().bodyValue(answer));
    }

    /** Begins a new epoch; all entries up to the present heads stay valid. */
    private Mono<ServerResponse> raiseEpoch(ServerRequest request) {
        return entries.epochs()
                .raiseNow()
                .flatMap(now -> ServerResponse.ok()
                        .bodyValue(Map.of("epoch", now.heads().epoch())));
    }

    /** Accepts the present database and timeline; answers whether they had changed. */
    private Mono<ServerResponse> trustTimeline(ServerRequest request) {
        return entries.epochs()
                .trustTimeline()
                .flatMap(changed -> ServerResponse.ok().bodyValue(Map.of("changed", changed)));
    }

    /**
     * The ends of the log for followers.
     *
     * @param positions null if the heads are those of the stamp in the request
     * @param numbers see {@link Heads}
     * @param earlier see {@link EarlierEpochs}
     * @param stamp see {@link Heads#stamp}; null from releases up to 0.2.0
     */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, created and read once
    public record HeadsAnswer(
            long epoch,
            long @Nullable [] positions,
            @Nullable List<Long> numbers,
            @Nullable Map<Long, long[]> earlier,
            @Nullable String stamp) {
        static HeadsAnswer of(LogState state) {
            var earlier = new TreeMap<Long, long[]>();
            state.earlier().ends().forEach((epoch, end) -> earlier.put(epoch, end.toArray()));
            var heads = state.heads();
            return new HeadsAnswer(heads.epoch(), heads.positions().toArray(), heads.numbers(), earlier, heads.stamp());
        }

        static HeadsAnswer unchanged(String stamp) {
            return new HeadsAnswer(0, null, null, null, stamp);
        }

        public LogState state() {
            var ends = new TreeMap<Long, Positions>();
            Objects.requireNonNullElse(earlier, Map.<Long, long[]>of())
                    .forEach((number, end) -> ends.put(number, Positions.of(end)));
            return new LogState(
                    new Heads(
                            epoch,
                            Positions.of(Objects.requireNonNull(positions)),
                            Objects.requireNonNullElse(numbers, List.of())),
                    new EarlierEpochs(ends));
        }
    }
}
