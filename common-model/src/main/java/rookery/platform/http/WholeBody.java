package rookery.platform.http;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The body of a request, read to its end before anything is decided. A service that refuses earlier answers while the gateway is
 * still sending, and what becomes of the answer and of the connection is then a matter of luck.
 */
final class WholeBody {
    /** The largest body of any endpoint (CONTRACT.md 2.1); the gateway lets no larger one through. */
    static final int BYTES_MAX = 5 << 20;

    private static final String ATTRIBUTE = WholeBody.class.getName();

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private boolean tooLarge;

    private WholeBody() {}

    /** The exchange with its body in memory; of a body larger than any may be, nothing is kept. */
    static Mono<ServerWebExchange> read(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        if (!isAnnounced(request.getHeaders())) {
            return Mono.just(exchange);
        }
        var body = new WholeBody();
        exchange.getAttributes().put(ATTRIBUTE, body);
        return request.getBody()
                .doOnNext(body::add)
                .then(Mono.fromSupplier(() ->
                        exchange.mutate().request(new Replayed(request, body)).build()));
    }

    private static boolean isAnnounced(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    /** The body's bytes, empty when there is none; M_TOO_LARGE when there are more. */
    static byte[] bytes(ServerWebExchange exchange, int most) {
        @Nullable WholeBody body = exchange.getAttribute(ATTRIBUTE);
        return body == null ? new byte[0] : body.bytes(most);
    }

    private byte[] bytes(int most) {
        if (tooLarge || received.size() > most) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "a body here has at most " + most + " bytes");
        }
        return received.toByteArray();
    }

    private void add(DataBuffer part) {
        tooLarge |= received.size() + part.readableByteCount() > BYTES_MAX;
        if (tooLarge) {
            received.reset();
        } else {
            byte[] bytes = new byte[part.readableByteCount()];
            part.read(bytes);
            received.writeBytes(bytes);
        }
        DataBufferUtils.release(part);
    }

    private static final class Replayed extends ServerHttpRequestDecorator {
        private final WholeBody body;

        Replayed(ServerHttpRequest request, WholeBody body) {
            super(request);
            this.body = body;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body.bytes(BYTES_MAX))));
        }
    }
}
