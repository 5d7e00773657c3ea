// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;

/**
 * A service of this JVM, which the gateway calls without a connection and without a signature (decision 0027). The service
 * handles such a request as any other; the response goes directly to the client's connection.
 */
public final class LocalService {
    private final HttpHandler handler;
    private int underWay;
    private @Nullable Runnable whenIdle;

    LocalService(HttpHandler handler) {
        this.handler = handler;
    }

    /**
     * The response of the service, until it is written. Fails with a ConnectException once the service is stopping, and with a
     * TimeoutException if the response does not begin in time.
     */
    public Mono<Void> answer(LocalCall call) {
        return Mono.defer(() -> enter() ? entered(call) : Mono.error(new ConnectException("the service is stopping")));
    }

    /** The caller of a request that the gateway of this JVM makes, or null for a request over a connection. */
    public static @Nullable Caller callerOf(ServerHttpRequest request) {
        return request instanceof LocalRequest local ? local.caller() : null;
    }

    private Mono<Void> entered(LocalCall call) {
        var response = new LocalResponse(call);
        Mono<Long> late =
                Mono.delay(call.patience()).flatMap(time -> response.abandon() ? Mono.just(time) : Mono.never());
        return handler.handle(new LocalRequest(call), response)
                .timeout(late, Mono.error(() -> new TimeoutException("the service did not answer in time")))
                .doOnCancel(response::abandon)
                .doFinally(_ -> leave());
    }

    private synchronized boolean enter() {
        if (whenIdle != null) {
            return false;
        }
        underWay++;
        return true;
    }

    private void leave() {
        Runnable then;
        synchronized (this) {
            underWay--;
            then = underWay == 0 ? whenIdle : null;
        }
        if (then != null) {
            then.run();
        }
    }

    void end(Runnable afterwards) {
        synchronized (this) {
            whenIdle = afterwards;
            if (underWay > 0) {
                return;
            }
        }
        afterwards.run();
    }
}
