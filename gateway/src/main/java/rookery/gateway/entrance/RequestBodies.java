// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import rookery.gateway.hardening.BodyTimeoutException;
import rookery.gateway.hardening.ConnectionProperties;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.BodyBudget;
import rookery.platform.http.BodyLimits;
import rookery.platform.http.MediaProperties;
import rookery.platform.http.WholeBody;

/**
 * Receives request bodies completely before forwarding, so a slow sender occupies only a share of this process's
 * {@link BodyBudget} and no service. A body above its limit is dropped and the request is forwarded without body: the service
 * answers the refusal after its checks of token and route (contract.md 2.2).
 */
@Component
class RequestBodies {
    private static final int BAD_REQUEST = 400;
    private static final int REQUEST_TIMEOUT = 408;

    private final BodyBudget budget;
    private final long uploadBytesMax;

    RequestBodies(ConnectionProperties limits, MediaProperties media) {
        this.uploadBytesMax = media.sizeMax().toBytes();
        long most = limits.bodies().toBytes();
        this.budget = most == 0 ? BodyBudget.ofHeap() : new BodyBudget(most);
    }

    /** Receives the body of a request; {@link #release} must follow. 408 if the body is late, 503 if the budget is exhausted. */
    Mono<ReceivedRequest> receive(ServerWebExchange exchange, RequestFacts visit, Identity identity) {
        var request = exchange.getRequest();
        if (!WholeBody.isAnnounced(request.getHeaders())) {
            return Mono.just(new ReceivedRequest(exchange, false));
        }
        int most = BodyLimits.of(request.getMethod(), request.getURI().getRawPath(), identity instanceof Known);
        var body = WholeBody.of(exchange);
        var kept = body.isTooLarge(most)
                ? Mono.<Void>empty()
                : body.keep(most, budget, visit.address().text());
        return kept.onErrorResume(failure -> body.isTooLarge(most) ? Mono.empty() : Mono.error(failure))
                .onErrorMap(BodyTimeoutException.class, _ -> tooSlow(exchange))
                .onErrorMap(AbortedException.class, _ -> gone())
                .then(Mono.fromSupplier(() -> new ReceivedRequest(
                        exchange.mutate().request(body.replayed()).build(), body.isTooLarge(most))));
    }

    /**
     * Streams the body of an upload to the service without storing it. As for {@link #receive}, an upload with a too large
     * Content-Length is forwarded without body.
     */
    Mono<ReceivedRequest> stream(ServerWebExchange exchange) {
        if (WholeBody.of(exchange).isTooLarge(uploadBytesMax)) {
            return Mono.just(new ReceivedRequest(
                    exchange.mutate().request(WholeBody.of(exchange).replayed()).build(), true));
        }
        var upload = new UploadRequest(exchange.getRequest(), uploadBytesMax, () -> tooSlow(exchange));
        return Mono.just(new ReceivedRequest(exchange.mutate().request(upload).build(), false));
    }

    private static ApiException tooSlow(ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().set(HttpHeaders.CONNECTION, "close");
        return new ApiException(ErrorCode.M_UNKNOWN, "the body of the request did not come in time")
                .withStatus(REQUEST_TIMEOUT);
    }

    /** The error of a closed connection. No client receives the error, and the status keeps it out of the server errors. */
    static ApiException gone() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the client has closed the connection").withStatus(BAD_REQUEST);
    }

    static void release(ServerWebExchange exchange) {
        WholeBody.of(exchange).release();
    }

    /** A request with its body in memory, with a streamed body, or with a body that was too large. */
    record ReceivedRequest(ServerWebExchange exchange, boolean tooLarge) {}
}
