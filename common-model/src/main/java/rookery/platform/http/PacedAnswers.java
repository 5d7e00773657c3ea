// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.reactivestreams.Publisher;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/** Sends streamed responses as {@link PacedBody}: media, long JSON, forwarded responses. */
@Component
public final class PacedAnswers implements WebHttpHandlerBuilderCustomizer {
    @Override
    public void customize(WebHttpHandlerBuilder builder) {
        builder.httpHandlerDecorator(handler -> (request, response) -> handler.handle(request, paced(response)));
    }

    /** The gateway paces the answer of a service in its JVM. */
    private static ServerHttpResponse paced(ServerHttpResponse response) {
        return response instanceof LocalResponse ? response : new PacedAnswer(response);
    }

    private static final class PacedAnswer extends ServerHttpResponseDecorator {
        PacedAnswer(ServerHttpResponse response) {
            super(response);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return isSmall(body) || !(getNativeResponse(getDelegate()) instanceof Connection connection)
                    ? getDelegate().writeWith(body)
                    : getDelegate().writeWith(PacedBody.of(body, connection.channel()));
        }

        /** Whether the body is a single part or no larger than the limit. */
        private boolean isSmall(Publisher<? extends DataBuffer> body) {
            long length = getHeaders().getContentLength();
            return body instanceof Mono || (length >= 0 && length <= PacedBody.BYTES_MAX);
        }
    }
}
