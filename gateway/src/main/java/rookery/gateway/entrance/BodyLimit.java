package rookery.gateway.entrance;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Stops bodies that no endpoint takes; the services know the finer limits (CONTRACT.md 2.1). What is still sent of a refused body is
 * read and dropped, and the connection lives on: closed under a client that is sending, the answer would be lost with it.
 */
final class BodyLimit {
    private static final int BYTES_MAX = 5 << 20;

    private BodyLimit() {}

    /** The exchange, or a refusal: at once if the length was told, else as soon as it is passed. */
    static ServerWebExchange apply(ServerWebExchange exchange) {
        var headers = exchange.getRequest().getHeaders();
        if (headers.getContentLength() > BYTES_MAX) {
            throw tooLarge();
        }
        return headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
                ? exchange.mutate().request(new Counted(exchange.getRequest())).build()
                : exchange;
    }

    private static ApiException tooLarge() {
        return new ApiException(ErrorCode.M_TOO_LARGE, "a body has at most " + BYTES_MAX + " bytes");
    }

    /** A request whose body says nothing about its length. */
    private static final class Counted extends ServerHttpRequestDecorator {
        private long bytes;

        Counted(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().map(this::counted);
        }

        private DataBuffer counted(DataBuffer part) {
            bytes += part.readableByteCount();
            if (bytes > BYTES_MAX) {
                DataBufferUtils.release(part);
                throw tooLarge();
            }
            return part;
        }
    }
}
