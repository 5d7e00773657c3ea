package rookery.platform.http;

import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;

/** A controller of one endpoint whose requests wait by the thousands; it reads and writes the exchange itself. */
public interface LongPoll {
    /** The mapped method. Completes when all is written; an error becomes the answer, as everywhere. */
    Mono<Void> answer(Caller caller, ServerWebExchange exchange);
}
