// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.user.AccountClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Signing in with the password of an administrator's account, and signing out. */
@RestController
class SignInPage {
    private static final String SIGN_IN = ConsoleCookie.PATH + "/sign-in";
    private static final String TEMPLATE = "sign-in";
    private static final String NO_USER_AGENT = "";

    private final ConsoleSessions sessions;
    private final AccountClient accounts;
    private final ConsoleCookie cookies;
    private final Pages pages;

    SignInPage(ConsoleSessions sessions, AccountClient accounts, ConsoleCookie cookies, Pages pages) {
        this.sessions = sessions;
        this.accounts = accounts;
        this.cookies = cookies;
        this.pages = pages;
    }

    @GetMapping(SIGN_IN)
    @Access(Level.NONE)
    ResponseEntity<String> show(ServerWebExchange exchange, @RequestParam(required = false) @Nullable String next) {
        return exchange.getAttribute(ConsoleSession.ATTRIBUTE) == null
                ? pages.page(exchange, TEMPLATE, model(next, "", null))
                : Pages.to(target(next));
    }

    /** A wrong password is a page with status 403, and too many attempts one with 429. */
    @PostMapping(SIGN_IN)
    @Access(Level.NONE)
    Mono<ResponseEntity<String>> signIn(Caller visitor, Form form, ServerWebExchange exchange) {
        String user = form.text("user");
        return sessions.login(visitor, user, form.raw("password"))
                .flatMap(login -> administrator(visitor, login))
                .map(login ->
                        entered(visitor, login, form, exchange.getRequest().getHeaders()))
                .onErrorResume(
                        ApiException.class,
                        refusal -> Mono.just(pages.page(
                                exchange,
                                HttpStatusCode.valueOf(refusal.status),
                                TEMPLATE,
                                model(form.text("next"), user, refusal.reason))));
    }

    /** Ends the new session of a user who is no administrator. */
    private Mono<ConsoleSessions.Login> administrator(Caller visitor, ConsoleSessions.Login login) {
        return sessions.owner(visitor, login.accessToken(), NO_USER_AGENT)
                .filter(caller -> caller.known() != null && caller.known().admin())
                .map(_ -> login)
                .switchIfEmpty(accounts.deleteDevices(visitor.tenant(), login.user(), List.of(login.device()))
                        .then(Mono.error(new ApiException(
                                ErrorCode.M_FORBIDDEN,
                                "this account is no administrator of "
                                        + visitor.server().value()))));
    }

    private ResponseEntity<String> entered(
            Caller visitor, ConsoleSessions.Login login, Form form, HttpHeaders request) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .header(HttpHeaders.LOCATION, target(form.text("next")))
                .header(
                        HttpHeaders.SET_COOKIE,
                        cookies.sealed(ConsoleCookie.Owner.of(visitor), login.accessToken(), request)
                                .toString())
                .build();
    }

    @PostMapping(ConsoleCookie.PATH + "/sign-out")
    @Access(Level.REQUIRED)
    Mono<ResponseEntity<String>> signOut(Caller caller, ServerWebExchange exchange) {
        var cookie = ConsoleCookie.deleted(
                ConsoleCookie.Owner.of(caller), exchange.getRequest().getHeaders());
        return accounts.deleteDevices(caller.tenant(), caller.user(), List.of(caller.device()))
                .then(Mono.fromSupplier(() -> ResponseEntity.status(HttpStatus.SEE_OTHER)
                        .header(HttpHeaders.LOCATION, SIGN_IN)
                        .header(HttpHeaders.SET_COOKIE, cookie.toString())
                        .build()));
    }

    private static Map<String, Object> model(@Nullable String next, String user, @Nullable String refusal) {
        return Map.of("next", target(next), "user", user, "refusal", refusal == null ? "" : refusal);
    }

    /** Only a page of the console: a link with another target would send people to another site after they have signed in. */
    private static String target(@Nullable String next) {
        return next != null
                        && next.startsWith(ConsoleCookie.PATH + "/")
                        && next.chars().allMatch(c -> c > ' ' && c < 127)
                ? next
                : ConsoleCookie.PATH + "/overview";
    }
}
