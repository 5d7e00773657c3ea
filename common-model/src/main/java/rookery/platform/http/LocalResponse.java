// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;

/**
 * The response of a {@link LocalService}, written to the client's connection. Status and headers are separate until the first
 * part of the body: the gateway passes only some headers, and may answer itself if the service is late. From then on the
 * service's response is abandoned, and its writes fail as on a closed connection.
 */
final class LocalResponse extends ServerHttpResponseDecorator {
    private enum State {
        OPEN,
        BEGUN,
        ABANDONED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final HttpHeaders headers = new HttpHeaders();
    private final UnaryOperator<HttpHeaders> passedBack;
    private @Nullable HttpStatusCode status;

    LocalResponse(LocalCall call) {
        super(call.client().getResponse());
        this.passedBack = call.passedBack();
        getDelegate().beforeCommit(() -> Mono.fromRunnable(this::apply));
    }

    /** Gives the client's response back to the gateway, unless the service has begun; returns whether it was given back. */
    boolean abandon() {
        return state.compareAndSet(State.OPEN, State.ABANDONED);
    }

    private void apply() {
        if (state.get() == State.BEGUN) {
            getDelegate().setStatusCode(status);
            getDelegate().getHeaders().addAll(passedBack.apply(headers));
        }
    }

    /** Whether this response may use the client's response. */
    private boolean begin() {
        return state.compareAndSet(State.OPEN, State.BEGUN) || state.get() == State.BEGUN;
    }

    private DataBuffer begun(DataBuffer part) {
        if (begin()) {
            return part;
        }
        DataBufferUtils.release(part);
        throw AbortedException.beforeSend();
    }

    private void requireBegun() {
        if (!begin()) {
            throw AbortedException.beforeSend();
        }
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        Publisher<DataBuffer> gated = body instanceof Mono<? extends DataBuffer> whole
                ? whole.map(this::begun)
                : Flux.from(body).<DataBuffer>map(this::begun).doOnComplete(this::requireBegun);
        return getDelegate().writeWith(gated).doOnError(_ -> headers.clearContentHeaders());
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return getDelegate().writeAndFlushWith(Flux.from(body).doOnNext(_ -> requireBegun()));
    }

    @Override
    public Mono<Void> setComplete() {
        return Mono.defer(() -> begin() ? getDelegate().setComplete() : Mono.error(AbortedException.beforeSend()));
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode code) {
        if (state.get() == State.ABANDONED || isCommitted()) {
            return false;
        }
        status = code;
        return true;
    }

    @Override
    public @Nullable HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer code) {
        return setStatusCode(code == null ? null : HttpStatusCode.valueOf(code));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    /** Whether the response of this service is committed; an abandoned one never is. */
    @Override
    public boolean isCommitted() {
        return state.get() == State.BEGUN && super.isCommitted();
    }
}
