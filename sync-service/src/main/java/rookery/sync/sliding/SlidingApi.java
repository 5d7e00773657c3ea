// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.http.AnswerReservation;
import rookery.platform.http.JsonBody;
import rookery.platform.http.LongPoll;
import rookery.sync.sync.SinceTokens;
import rookery.sync.sync.Syncer;

/** Sliding sync in both forms (contract.md 10.9). */
@RestController
class SlidingApi implements LongPoll {
    private static final String UNSTABLE = "/_api/client/unstable/org.matrix.simplified_msc3575/sync";
    private static final String STABLE = "/_api/client/v4/sync";

    private final TokenCodec tokens;
    private final SinceTokens sinceTokens;
    private final Syncer syncer;
    private final SlidingAnswering answering;

    SlidingApi(TokenCodec tokens, SinceTokens sinceTokens, Syncer syncer, SlidingAnswering answering) {
        this.tokens = tokens;
        this.sinceTokens = sinceTokens;
        this.syncer = syncer;
        this.answering = answering;
    }

    @Override
    @PostMapping({STABLE, UNSTABLE})
    public Mono<Void> answer(Caller caller, ServerWebExchange exchange) {
        return Mono.defer(() -> {
            var http = exchange.getRequest();
            boolean isUnstable = http.getPath().value().equals(UNSTABLE);
            var request = RequestReader.read(
                    isUnstable,
                    http.getQueryParams(),
                    JsonBody.of(exchange),
                    caller.user().value());
            return answer(caller, request, exchange);
        });
    }

    private Mono<Void> answer(Caller caller, SlidingRequest request, ServerWebExchange exchange) {
        var owner = new TokenOwner(caller.tenant(), caller.user());
        var since = request.pos() == null ? null : position(request.pos(), owner);
        var messages = messages(request, owner);
        var reservation = AnswerReservation.of(exchange);
        var response = exchange.getResponse();
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        var parts = syncer.answer(
                caller,
                SlidingPoll.query(request),
                inbox -> new SlidingPoll(caller, request, since, messages, inbox, reservation, answering));
        return response.writeWith(parts.map(response.bufferFactory()::wrap));
    }

    private SyncToken position(String pos, TokenOwner owner) {
        try {
            return tokens.readSync(pos, owner);
        } catch (ApiException _) {
            throw Connections.unknownPos();
        }
    }

    /** The position in the extension {@code to_device}; null without one, for all messages that still wait. M_INVALID_PARAM. */
    private @Nullable SyncToken messages(SlidingRequest request, TokenOwner owner) {
        var extension = request.extensions().get(SlidingRequest.TO_DEVICE);
        try {
            return extension == null ? null : sinceTokens.read(extension.since(), owner);
        } catch (ApiException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the since of to_device is no token of this user");
        }
    }
}
