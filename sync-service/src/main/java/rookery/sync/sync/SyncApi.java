// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.platform.http.AnswerReservation;
import rookery.platform.http.LongPoll;
import rookery.sync.answer.SyncQuery;

/** {@code GET /v3/sync} (contract.md 10). */
@RestController
class SyncApi implements LongPoll {
    static final String PATH = "/_api/client/v3/sync";

    private final Syncer syncer;
    private final MeterRegistry meters;

    SyncApi(Syncer syncer, MeterRegistry meters) {
        this.syncer = syncer;
        this.meters = meters;
    }

    @Override
    @GetMapping(PATH)
    public Mono<Void> answer(Caller caller, ServerWebExchange exchange) {
        return Mono.defer(() -> answer(
                        caller,
                        exchange.getRequest().getQueryParams(),
                        exchange.getResponse(),
                        AnswerReservation.of(exchange)))
                .doOnError(this::count);
    }

    private Mono<Void> answer(
            Caller caller,
            MultiValueMap<String, String> params,
            ServerHttpResponse response,
            AnswerReservation reservation) {
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        return response.writeWith(
                syncer.answer(caller, SyncQuery.of(params), reservation).map(response.bufferFactory()::wrap));
    }

    private void count(Throwable failure) {
        Counter.builder("sync_failures")
                .description("refused requests of known users, and truncated answers")
                .tag("errcode", failure instanceof ApiException refusal ? refusal.code.name() : "none")
                .register(meters)
                .increment();
    }
}
