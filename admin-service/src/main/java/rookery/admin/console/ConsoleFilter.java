// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.Set;
import java.util.function.Function;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import rookery.admin.console.ConsoleCookie.Owner;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Reason;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.BodyBudget;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.WholeBody;

/**
 * The entrance of the console. Finds the session of the cookie, admits administrators only, refuses forms of other sites, and answers
 * refusals as pages.
 *
 * <p>The session is asked for at auth-service with each request, so that the end of a session and of an administrator's rights is in
 * force at once.
 */
@Component
@Order(1) // after CallerFilter
class ConsoleFilter implements WebFilter {
    private static final String CONSOLE = ConsoleCookie.PATH;
    private static final String ASSETS = CONSOLE + "/assets/";
    private static final String SIGN_IN = CONSOLE + "/sign-in";

    private final ConsoleCookie cookies;
    private final ConsoleSessions sessions;
    private final Pages pages;
    private final BodyBudget bodies = new BodyBudget(0);

    ConsoleFilter(ConsoleCookie cookies, ConsoleSessions sessions, Pages pages) {
        this.cookies = cookies;
        this.sessions = sessions;
        this.pages = pages;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String path = exchange.getRequest().getPath().value();
        Caller visitor = exchange.getAttribute(AccessMapping.CALLER);
        if (visitor == null || !(path.equals(CONSOLE) || path.startsWith(CONSOLE + "/"))) {
            return chain.filter(exchange);
        }
        Pages.harden(exchange.getResponse().getHeaders());
        if (path.startsWith(ASSETS)) {
            return chain.filter(exchange);
        }
        var stranger = visitor.as(new Anonymous(Reason.MISSING)); // only the cookie counts here
        exchange.getAttributes().put(AccessMapping.CALLER, stranger);
        return session(exchange, stranger)
                .map(found -> admitted(exchange, chain, found))
                .defaultIfEmpty(Mono.defer(() -> withoutSession(exchange, chain, path)))
                .flatMap(Function.identity())
                .onErrorResume(failure -> pages.refusal(exchange, failure));
    }

    private Mono<ConsoleSession> session(ServerWebExchange exchange, Caller visitor) {
        var owner = Owner.of(visitor);
        var cookie = ConsoleCookie.of(exchange.getRequest(), owner);
        var token = cookie == null ? null : cookies.accessToken(owner, cookie);
        if (cookie == null || token == null) {
            return Mono.empty();
        }
        var userAgent = exchange.getRequest().getHeaders().getFirst(HttpHeaders.USER_AGENT);
        return sessions.owner(visitor, token, userAgent == null ? "" : userAgent)
                .map(caller -> new ConsoleSession(caller, cookies.formToken(cookie)));
    }

    private Mono<Void> admitted(ServerWebExchange exchange, WebFilterChain chain, ConsoleSession session) {
        exchange.getAttributes().put(AccessMapping.CALLER, session.caller());
        exchange.getAttributes().put(ConsoleSession.ATTRIBUTE, session);
        return isForm(exchange)
                ? form(exchange)
                        .doOnNext(form -> requireToken(exchange, form, session))
                        .then(Mono.defer(() -> chain.filter(exchange)))
                : chain.filter(exchange);
    }

    private Mono<Void> withoutSession(ServerWebExchange exchange, WebFilterChain chain, String path) {
        if (!path.equals(SIGN_IN)) {
            return pages.signInFirst(exchange);
        }
        return isForm(exchange)
                ? form(exchange).then(Mono.defer(() -> chain.filter(exchange)))
                : chain.filter(exchange);
    }

    private static boolean isForm(ServerWebExchange exchange) {
        return !Set.of(HttpMethod.GET, HttpMethod.HEAD)
                .contains(exchange.getRequest().getMethod());
    }

    /** Reads the form, unless a page of another site has sent it. */
    private Mono<Form> form(ServerWebExchange exchange) {
        var headers = exchange.getRequest().getHeaders();
        Form.requireOwnPage(headers, headers.getFirst(CallerSignature.HOST_HEADER));
        Caller caller = exchange.getRequiredAttribute(AccessMapping.CALLER);
        var body = WholeBody.of(exchange);
        return body.keep(Form.BYTES_MAX, bodies, caller.ip()).then(Mono.fromSupplier(() -> {
            var form = Form.of(body.bytes());
            exchange.getAttributes().put(Form.ATTRIBUTE, form);
            return form;
        }));
    }

    /** The form for signing in comes from a page without a session. */
    private static void requireToken(ServerWebExchange exchange, Form form, ConsoleSession session) {
        if (!exchange.getRequest().getPath().value().equals(SIGN_IN)) {
            form.requireToken(session.formToken());
        }
    }
}
