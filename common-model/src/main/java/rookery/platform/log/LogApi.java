package rookery.platform.log;

import static org.springframework.web.reactive.function.server.RequestPredicates.GET;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;

/**
 * The log as its owner answers it to followers: what Kafka did not bring is read here (DESIGN.md 2). A bean of the owner, and
 * of nobody else.
 */
public final class LogApi implements RouterFunction<ServerResponse> {
    private static final int ENTRIES_MAX = 200;

    private final LogEntries entries;
    private final RouterFunction<ServerResponse> routes;

    public LogApi(LogEntries entries) {
        this.entries = entries;
        this.routes = RouterFunctions.route(GET("/internal/log/heads"), this::heads)
                .and(RouterFunctions.route(GET("/internal/log/{shard}"), this::range));
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        return routes.route(request);
    }

    private Mono<ServerResponse> heads(ServerRequest request) {
        return entries.state()
                .map(HeadsAnswer::of)
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

    /**
     * How the owner answers where its log ends.
     *
     * @param numbers see {@link Heads}
     * @param earlier see {@link EarlierEpochs}
     */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record HeadsAnswer(
            long epoch,
            long[] positions,
            @Nullable List<Long> numbers,
            @Nullable Map<Long, long[]> earlier) {
        static HeadsAnswer of(LogState state) {
            var earlier = new TreeMap<Long, long[]>();
            state.earlier().ends().forEach((epoch, end) -> earlier.put(epoch, end.toArray()));
            var heads = state.heads();
            return new HeadsAnswer(heads.epoch(), heads.positions().toArray(), heads.numbers(), earlier);
        }

        LogState state() {
            var ends = new TreeMap<Long, Positions>();
            Objects.requireNonNullElse(earlier, Map.<Long, long[]>of())
                    .forEach((number, end) -> ends.put(number, Positions.of(end)));
            return new LogState(
                    new Heads(epoch, Positions.of(positions), Objects.requireNonNullElse(numbers, List.of())),
                    new EarlierEpochs(ends));
        }
    }
}
