// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.DisposableChannel;

/**
 * The client of a request. Work begun for a client goes on after a disconnect (decision 0001), but a waiting picture
 * is not begun.
 */
interface ClientConnection {
    boolean isClosed();

    static ClientConnection of(ServerWebExchange exchange) {
        Object connection = ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
        return () -> connection instanceof DisposableChannel channel && channel.isDisposed();
    }
}
