// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/**
 * A response that ends in the middle because of a failure. The connection is closed, so that the client does not take the
 * part for the whole: Spring treats some failures, such as a reset by a service, as a client that has gone, and ends the
 * response normally.
 */
final class CutAnswer {
    private static final Logger log = LoggerFactory.getLogger(CutAnswer.class);

    private CutAnswer() {}

    static Mono<Void> end(ServerWebExchange exchange, Throwable failure) {
        if (!(ServerHttpResponseDecorator.getNativeResponse(exchange.getResponse()) instanceof Connection connection)) {
            return Mono.error(failure);
        }
        var channel = connection.channel();
        log.atLevel(channel.isActive() ? Level.INFO : Level.DEBUG) // clients disconnect all the time
                .addKeyValue("path", exchange.getRequest().getPath())
                .addKeyValue("cause", failure.toString())
                .log("an answer was cut");
        return Mono.create(sink -> channel.close().addListener(_ -> sink.success()));
    }
}
