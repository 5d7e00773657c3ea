// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;

/** A controller of one endpoint with thousands of waiting requests; reads and writes the exchange itself. */
public interface LongPoll {
    /** Handles a request. Completes when all is written; an error becomes an error response, as for any handler. */
    Mono<Void> answer(Caller caller, ServerWebExchange exchange);
}
