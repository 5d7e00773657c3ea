package rookery.room.media.download;

import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.DisposableChannel;

/** Whoever sent a request. What was begun for them goes on when they hang up (decision 0001); a picture that waits is not begun. */
interface Asker {
    boolean isGone();

    static Asker of(ServerWebExchange exchange) {
        Object connection = ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
        return () -> connection instanceof DisposableChannel channel && channel.isDisposed();
    }
}
