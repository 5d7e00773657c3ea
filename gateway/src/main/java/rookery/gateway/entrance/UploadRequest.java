package rookery.gateway.entrance;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import rookery.gateway.hardening.BodyTimeoutException;
import rookery.model.error.ApiException;
import rookery.platform.http.BodyStream;

/**
 * A request whose body passes without being held. What is above the limit is read and dropped, for an answer that comes while the
 * client is sending may be lost; then the body fails, and with it the request to the service, which keeps nothing of one that it did
 * not get to its end.
 */
final class UploadRequest extends ServerHttpRequestDecorator {
    private final long most;
    private final Supplier<ApiException> tooSlow;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicLong bytes = new AtomicLong();

    UploadRequest(ServerHttpRequest request, long most, Supplier<ApiException> tooSlow) {
        super(request);
        this.most = most;
        this.tooSlow = tooSlow;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.defer(() -> begun.getAndSet(true) ? Flux.error(lost()) : passing());
    }

    private Flux<DataBuffer> passing() {
        return super.getBody()
                .filter(this::passes)
                .concatWith(Mono.defer(this::end))
                .onErrorMap(BodyTimeoutException.class, _ -> tooSlow.get())
                .onErrorMap(AbortedException.class, _ -> RequestBodies.gone());
    }

    private boolean passes(DataBuffer part) {
        boolean passes = bytes.addAndGet(part.readableByteCount()) <= most;
        if (!passes) {
            DataBufferUtils.release(part);
        }
        return passes;
    }

    private Mono<DataBuffer> end() {
        return bytes.get() <= most ? Mono.empty() : Mono.error(BodyStream.tooLarge(most));
    }

    /** The connection to the service broke after part of the body was sent; nobody has that part any more. */
    private static ApiException lost() {
        return ApiException.unavailable("the upload was interrupted, send it again");
    }
}
