// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import rookery.model.caller.Caller;

/**
 * A request that the gateway of this JVM makes. Its type is the proof of its caller: a request that comes over a connection
 * never has this type, whichever headers it has.
 */
final class LocalRequest extends AbstractServerHttpRequest {
    private final ServerHttpRequest client;
    private final Caller caller;

    LocalRequest(LocalCall call) {
        super(call.client().getRequest().getMethod(), call.uri(), null, call.headers());
        this.client = call.client().getRequest();
        this.caller = call.caller();
    }

    Caller caller() {
        return caller;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return client.getBody();
    }

    /** The client's connection: an answer's share of the memory ends with it. */
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the signature of the class above
    public <T> T getNativeRequest() {
        return ServerHttpRequestDecorator.getNativeRequest(client);
    }

    @Override
    protected MultiValueMap<String, HttpCookie> initCookies() {
        // the gateway passes cookies to the console only
        return getHeaders().containsHeader(HttpHeaders.COOKIE) ? client.getCookies() : new LinkedMultiValueMap<>();
    }

    @Override
    protected @Nullable SslInfo initSslInfo() {
        return null;
    }
}
