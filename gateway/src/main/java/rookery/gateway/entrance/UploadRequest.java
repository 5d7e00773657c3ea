// SPDX-License-Identifier: Apache-2.0
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
 * An upload whose body is streamed. Bytes above the limit are read and dropped, because an early answer may be lost while the
 * client is still sending. At the end of the body the stream fails, and so does the forwarded request; the service stores nothing
 * of an incomplete upload.
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

    /**
     * The connection to the service broke after a part of the body was sent. The part is not kept, so the upload cannot be
     * repeated here.
     */
    private static ApiException lost() {
        return ApiException.unavailable("the upload was interrupted, send it again");
    }
}
