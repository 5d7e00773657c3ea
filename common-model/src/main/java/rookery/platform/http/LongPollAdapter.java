// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Objects;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Calls long polls directly: Spring would keep its invocation objects until the response, among them an array of 2 kB. */
@Component
class LongPollAdapter implements HandlerAdapter, Ordered {
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && method.getBean() instanceof LongPoll;
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        var longPoll = (LongPoll) ((HandlerMethod) handler).getBean();
        return longPoll.answer(Objects.requireNonNull(exchange.getAttribute(CallerFilter.ATTRIBUTE)), exchange)
                .then(Mono.empty());
    }
}
