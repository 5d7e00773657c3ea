// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import rookery.admin.openapi.ApiPages;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.ErrorAnswers;

/** The HTTP server of operators, on a port of its own that no gateway routes to. */
@Component
class OperatorServer implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(OperatorServer.class);

    private final OperatorProperties properties;
    private final List<OperatorRoutes> apis;
    private final OperatorGate gate;
    private final ApiPages pages;
    private final ErrorAnswers errors;
    private @Nullable DisposableServer server;

    OperatorServer(
            OperatorProperties properties,
            List<OperatorRoutes> apis,
            OperatorGate gate,
            ApiPages pages,
            ErrorAnswers errors) {
        this.properties = properties;
        this.apis = apis;
        this.gate = gate;
        this.pages = pages;
        this.errors = errors;
    }

    @Override
    public boolean isAutoStartup() {
        return properties.port() >= 0;
    }

    @Override
    public synchronized void start() {
        var strategies = HandlerStrategies.builder()
                .webFilter(this::filter)
                .exceptionHandler(errors)
                .build();
        var handler = RouterFunctions.toHttpHandler(routes(), strategies);
        server = HttpServer.create()
                .host(properties.address())
                .port(properties.port())
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        log.atInfo().addKeyValue("port", server.port()).log("operators are served");
    }

    /** The description of the API needs no credentials, and everything else passes the gate. */
    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return ApiPages.serves(exchange.getRequest()) ? chain.filter(exchange) : gate.filter(exchange, chain);
    }

    private RouterFunction<ServerResponse> routes() {
        var routes = RouterFunctions.route().add(pages.routes());
        apis.forEach(api -> routes.add(api.routes()));
        return routes.route(
                        RequestPredicates.all(),
                        _ -> Mono.error(new ApiException(ErrorCode.M_UNRECOGNIZED, "no such endpoint")))
                .build();
    }

    /** The port that is bound. */
    synchronized int port() {
        return server == null ? properties.port() : server.port();
    }

    @Override
    public synchronized void stop() {
        if (server != null) {
            server.disposeNow();
            server = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return server != null;
    }
}
