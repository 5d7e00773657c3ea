// SPDX-License-Identifier: Apache-2.0
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
 * The body of a request. The body is read into memory only after the checks of caller and route, within a limit and a {@link
 * BodyBudget}. Any other body is read to its end and dropped, because a response before the end of the request body may be lost,
 * or the connection with it.
 */
public final class WholeBody {
    /**
     * Request header of the gateway for a body that was too large to forward; the service checks later whether it needed
     * the body.
     */
    public static final String TOO_LARGE_HEADER = "X-Rookery-Body-Too-Large";

    private static final String ATTRIBUTE = WholeBody.class.getName();

    private final ServerHttpRequest request;
    private final boolean announced;
    private boolean begun;
    private boolean tooLarge;
    private @Nullable ByteArrayOutputStream content;
    private @Nullable ApiException refusal;
    private @Nullable Reservation reservation;

    private WholeBody(ServerHttpRequest request) {
        this.request = request;
        this.announced = isAnnounced(request.getHeaders());
    }

    /** The body of an exchange, unread at first. */
    public static WholeBody of(ServerWebExchange exchange) {
        return (WholeBody)
                exchange.getAttributes().computeIfAbsent(ATTRIBUTE, _ -> new WholeBody(exchange.getRequest()));
    }

    public static boolean isAnnounced(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    /**
     * Reads the body into memory.
     *
     * @param most the most bytes; M_TOO_LARGE after the end of a larger body
     * @param address the client's address, whose share of the budget the body takes until {@link #release}; 503 if there is
     *     no room
     */
    public Mono<Void> keep(int most, BodyBudget budget, String address) {
        if (isTooLarge(most)) {
            return drop().then(Mono.error(tooLarge(most)));
        }
        if (!announced || begun) {
            return Mono.empty();
        }
        begun = true;
        reservation = new Reservation(budget, address);
        return Mono.defer(() -> {
            reserveLength();
            return request.getBody().doOnNext(part -> add(part, most)).then(Mono.defer(this::refused));
        });
    }

    /** Whether the Content-Length here or at the gateway, or the part read so far, exceeds the limit. */
    public boolean isTooLarge(long most) {
        var headers = request.getHeaders();
        return tooLarge || headers.getContentLength() > most || headers.containsHeader(TOO_LARGE_HEADER);
    }

    /** The parts as they arrive, for one reader; the reader must release all parts. */
    Flux<DataBuffer> parts() {
        if (!announced || begun) {
            return Flux.empty();
        }
        begun = true;
        return request.getBody();
    }

    /** The Content-Length in bytes; -1 if absent. */
    long announcedLength() {
        return request.getHeaders().getContentLength();
    }

    /** Reads and drops a body that no handler has read. */
    Mono<Void> drop() {
        if (!announced || begun) {
            return Mono.empty();
        }
        begun = true;
        return request.getBody().doOnNext(DataBufferUtils::release).then();
    }

    /** The request with the kept bytes as its body, and their number as Content-Length. */
    public ServerHttpRequest replayed() {
        return new ReplayedRequest(request, bytes());
    }

    /** The kept bytes; empty if there is no body or it was not kept. */
    public byte[] bytes() {
        return content == null ? new byte[0] : content.toByteArray();
    }

    /** Drops the bytes and gives back their share of the budget. */
    public void release() {
        content = null;
        if (reservation != null) {
            reservation.giveBack();
        }
    }

    static ApiException tooLarge(long most) {
        return new ApiException(ErrorCode.M_TOO_LARGE, "a body here has at most " + most + " bytes");
    }

    private Mono<Void> refused() {
        return refusal == null ? Mono.empty() : Mono.error(refusal);
    }

    private void reserveLength() {
        long length = request.getHeaders().getContentLength();
        if (length > 0) {
            requireRoom(length);
        }
        content = refusal == null ? new ByteArrayOutputStream((int) Math.max(length, 0)) : null;
    }

    private void add(DataBuffer part, int most) {
        int size = part.readableByteCount();
        if (content != null && request.getHeaders().getContentLength() < 0) {
            requireSize(content.size() + size, most);
            requireRoom(size);
        }
        if (refusal != null) {
            release();
        } else if (content != null) {
            byte[] bytes = new byte[size];
            part.read(bytes);
            content.writeBytes(bytes);
        }
        DataBufferUtils.release(part);
    }

    private void requireSize(int size, int most) {
        if (size > most) {
            tooLarge = true;
            refusal = tooLarge(most);
        }
    }

    private void requireRoom(long more) {
        if (refusal == null && reservation != null && !reservation.take(more)) {
            refusal = ApiException.unavailable("too many large requests are under way, try again in a moment");
        }
    }

    private static final class ReplayedRequest extends ServerHttpRequestDecorator {
        private final byte[] body;
        private final HttpHeaders headers;

        ReplayedRequest(ServerHttpRequest request, byte[] body) {
            super(request);
            this.body = body;
            this.headers = new HttpHeaders();
            headers.addAll(request.getHeaders()); // the other constructor would share the headers
            headers.remove(HttpHeaders.TRANSFER_ENCODING);
            headers.setContentLength(body.length);
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body.length == 0
                    ? Flux.empty()
                    : Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)));
        }
    }

    /** The bytes of one body in the budget. */
    private static final class Reservation {
        private final BodyBudget budget;
        private final String address;
        private long bytes;
        private boolean ended;

        Reservation(BodyBudget budget, String address) {
            this.budget = budget;
            this.address = address;
        }

        synchronized boolean take(long more) {
            boolean taken = !ended && budget.take(address, more);
            bytes += taken ? more : 0;
            return taken;
        }

        synchronized void giveBack() {
            ended = true;
            budget.giveBack(address, bytes);
            bytes = 0;
        }
    }
}
