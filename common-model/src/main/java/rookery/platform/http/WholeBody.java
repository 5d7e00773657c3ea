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
 * The body of a request. It is kept only once caller and route are judged, within a limit and a {@link BodyBudget}; whatever is not
 * kept is still read to its end and dropped: answered earlier, while the other side is still sending, the answer or the connection
 * may be lost.
 */
public final class WholeBody {
    /** Of a request that the gateway forwards without its body, because it was too large; whether that matters is judged in its turn. */
    public static final String TOO_LARGE_HEADER = "X-Rookery-Body-Too-Large";

    private static final String ATTRIBUTE = WholeBody.class.getName();

    private final ServerHttpRequest request;
    private final boolean announced;
    private boolean begun;
    private boolean tooLarge;
    private @Nullable ByteArrayOutputStream kept;
    private @Nullable ApiException refusal;
    private @Nullable Reservation reservation;

    private WholeBody(ServerHttpRequest request) {
        this.request = request;
        this.announced = isAnnounced(request.getHeaders());
    }

    /** The body of an exchange, of which nothing is read yet. */
    public static WholeBody of(ServerWebExchange exchange) {
        return (WholeBody)
                exchange.getAttributes().computeIfAbsent(ATTRIBUTE, _ -> new WholeBody(exchange.getRequest()));
    }

    public static boolean isAnnounced(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    /**
     * Reads it into memory.
     *
     * @param most how many bytes it may have; M_TOO_LARGE once a larger one has come to its end
     * @param address of the client, in whose share of the budget it is held until {@link #release}; 503 if there is no room
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

    /** Whether its announced length says so, here or at the gateway, or what was read of it. */
    public boolean isTooLarge(long most) {
        var headers = request.getHeaders();
        return tooLarge || headers.getContentLength() > most || headers.containsHeader(TOO_LARGE_HEADER);
    }

    /** Its parts as they come, for one reader who releases them and reads to the end. */
    Flux<DataBuffer> parts() {
        if (!announced || begun) {
            return Flux.empty();
        }
        begun = true;
        return request.getBody();
    }

    /** What the client says its length is, in bytes; -1 if it does not say. */
    long announcedLength() {
        return request.getHeaders().getContentLength();
    }

    /** Reads what nobody has asked for, and keeps nothing of it. */
    Mono<Void> drop() {
        if (!announced || begun) {
            return Mono.empty();
        }
        begun = true;
        return request.getBody().doOnNext(DataBufferUtils::release).then();
    }

    /** The request with the bytes that were kept as its body, and with their number as its length. */
    public ServerHttpRequest replayed() {
        return new ReplayedRequest(request, bytes());
    }

    /** Its bytes, none if there is no body or it was not kept. */
    public byte[] bytes() {
        return kept == null ? new byte[0] : kept.toByteArray();
    }

    /** Forgets it, and gives back its share of the budget. */
    public void release() {
        kept = null;
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
        kept = refusal == null ? new ByteArrayOutputStream((int) Math.max(length, 0)) : null;
    }

    private void add(DataBuffer part, int most) {
        int size = part.readableByteCount();
        if (kept != null && request.getHeaders().getContentLength() < 0) {
            requireSize(kept.size() + size, most);
            requireRoom(size);
        }
        if (refusal != null) {
            release();
        } else if (kept != null) {
            byte[] bytes = new byte[size];
            part.read(bytes);
            kept.writeBytes(bytes);
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
            headers.addAll(request.getHeaders()); // the other constructor would share them
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

    /** What one body holds of the budget. */
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
