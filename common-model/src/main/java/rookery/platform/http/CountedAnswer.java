// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;

/**
 * Reserves the bytes of responses that are encoded whole, for handlers without reservations. A response below 16 KiB fits into
 * the buffers of the socket, and a response in parts reserves each part itself.
 */
final class CountedAnswer extends ServerHttpResponseDecorator {
    private static final int FREE_BYTES = 16 * 1024;

    private final AnswerReservation reservation;

    CountedAnswer(ServerHttpResponse response, AnswerReservation reservation) {
        super(response);
        this.reservation = reservation;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return super.writeWith(body instanceof Mono<? extends DataBuffer> whole ? whole.map(this::counted) : body);
    }

    private DataBuffer counted(DataBuffer encoded) {
        int bytes = encoded.readableByteCount();
        if (bytes > FREE_BYTES) {
            reserve(encoded, bytes);
        }
        return encoded;
    }

    private void reserve(DataBuffer encoded, int bytes) {
        try {
            reservation.atLeast(bytes);
        } catch (RuntimeException e) {
            DataBufferUtils.release(encoded);
            throw e;
        }
    }
}
