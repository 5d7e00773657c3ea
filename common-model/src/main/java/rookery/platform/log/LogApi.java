package rookery.platform.log;

import static org.springframework.web.reactive.function.server.RequestPredicates.GET;

import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

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
        return entries.heads()
                .map(heads -> new HeadsAnswer(heads.epoch(), heads.positions().toArray()))
                .flatMap(answer -> ServerResponse.ok().bodyValue(answer));
    }

    private Mono<ServerResponse> range(ServerRequest request) {
        int shard = Integer.parseInt(request.pathVariable("shard"));
        long after = Long.parseLong(request.queryParam("after").orElse("0"));
        int limit = Integer.parseInt(request.queryParam("limit").orElse(Integer.toString(ENTRIES_MAX)));
        return entries.range(shard, after, Math.clamp(limit, 1, ENTRIES_MAX))
                .flatMap(answer -> ServerResponse.ok().bodyValue(answer));
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record HeadsAnswer(long epoch, long[] positions) {}
}
