// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.console.ConsoleCookie.Owner;
import rookery.admin.tenant.OperatorRoutes;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.JsonNode;

/**
 * The console of operators, on their port (contract.md 20): a browser session around an operator's token. Each page calls the API of
 * operators with the token, so that a revoked operator is refused at once.
 */
@Component
class OperatorConsole implements OperatorRoutes {
    private static final String CONSOLE = ConsoleCookie.PATH;
    private static final String SIGN_IN = CONSOLE + "/sign-in";
    private static final int SEE_OTHER = 303;

    private final OperatorPages contents;
    private final OperatorClient api;
    private final ConsoleCookie cookies;
    private final AssetPages assets;
    private final Pages pages;

    OperatorConsole(OperatorPages contents, OperatorClient api, ConsoleCookie cookies, AssetPages assets, Pages pages) {
        this.contents = contents;
        this.api = api;
        this.cookies = cookies;
        this.assets = assets;
        this.pages = pages;
    }

    /** What a page shows or does for a signed-in operator. */
    interface Handler {
        Mono<ServerResponse> handle(Visit visit);
    }

    /**
     * A request of a signed-in operator.
     *
     * @param form the fields of a form; empty for a page
     */
    record Visit(ServerRequest request, OperatorClient api, String token, String formToken, Form form) {
        Mono<JsonNode> get(String path) {
            return api.call(request.exchange().getRequest(), token, HttpMethod.GET, path, null);
        }

        Mono<JsonNode> call(HttpMethod method, String path, Map<String, ?> body) {
            return api.call(request.exchange().getRequest(), token, method, path, body);
        }

        @Override
        public String toString() {
            return request.path(); // without tokens
        }
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(CONSOLE, _ -> to(CONSOLE + "/tenants"))
                .GET(CONSOLE + "/assets/{name}", request -> {
                    var file = assets.file(request.pathVariable("name"));
                    return ServerResponse.ok()
                            .headers(headers -> headers.addAll(file.getHeaders()))
                            .bodyValue(Objects.requireNonNull(file.getBody()));
                })
                .GET(
                        SIGN_IN,
                        hardened(request -> html(request, HttpStatus.OK, "operator-sign-in", Map.of("refusal", ""))))
                .POST(SIGN_IN, hardened(this::signIn))
                .POST(CONSOLE + "/sign-out", signedIn(this::signOut))
                .GET(CONSOLE + "/tenants", signedIn(contents::tenants))
                .POST(CONSOLE + "/tenants", signedIn(contents::create))
                .GET(CONSOLE + "/tenants/{tenant}", signedIn(contents::tenant))
                .GET(CONSOLE + "/tenants/{tenant}/{act}", signedIn(contents::ask))
                .POST(CONSOLE + "/tenants/{tenant}/{act}", signedIn(contents::act))
                .GET(CONSOLE + "/operators", signedIn(contents::operators))
                .POST(CONSOLE + "/operators", signedIn(contents::makeOperator))
                .POST(CONSOLE + "/operators/{name}/revoke", signedIn(contents::revokeOperator))
                .GET(CONSOLE + "/health", signedIn(contents::health))
                .GET(CONSOLE + "/jobs", signedIn(contents::jobs))
                .build();
    }

    private Mono<ServerResponse> signIn(ServerRequest request) {
        return form(request).flatMap(form -> {
            var token = form.text("token");
            var browser = request.exchange().getRequest();
            return api.call(browser, token, HttpMethod.GET, "/tenants?limit=1", null)
                    .flatMap(_ -> ServerResponse.status(SEE_OTHER)
                            .location(URI.create(CONSOLE + "/tenants"))
                            .header(
                                    HttpHeaders.SET_COOKIE,
                                    cookies.sealed(Owner.OPERATORS, token, browser.getHeaders())
                                            .toString())
                            .build())
                    .onErrorResume(
                            ApiException.class,
                            refusal -> html(
                                    request,
                                    HttpStatus.valueOf(refusal.status),
                                    "operator-sign-in",
                                    Map.of("refusal", refusal.reason)));
        });
    }

    private Mono<ServerResponse> signOut(Visit visit) {
        var cookie =
                ConsoleCookie.deleted(Owner.OPERATORS, visit.request.headers().asHttpHeaders());
        return ServerResponse.status(SEE_OTHER)
                .location(URI.create(SIGN_IN))
                .header(HttpHeaders.SET_COOKIE, cookie.toString())
                .build();
    }

    private HandlerFunction<ServerResponse> signedIn(Handler handler) {
        return hardened(request -> {
            var browser = request.exchange().getRequest();
            var cookie = ConsoleCookie.of(browser, Owner.OPERATORS);
            var token = cookie == null ? null : cookies.accessToken(Owner.OPERATORS, cookie);
            if (cookie == null || token == null) {
                return to(SIGN_IN);
            }
            var formToken = cookies.formToken(cookie);
            if (request.method().equals(HttpMethod.GET)) {
                return handler.handle(new Visit(request, api, token, formToken, new Form(Map.of())));
            }
            return form(request).flatMap(form -> {
                form.requireToken(formToken);
                return handler.handle(new Visit(request, api, token, formToken, form));
            });
        });
    }

    /** A refusal is a page; the refusal of the token leads to the sign-in page. */
    private HandlerFunction<ServerResponse> hardened(HandlerFunction<ServerResponse> handler) {
        return request -> {
            Pages.harden(request.exchange().getResponse().getHeaders());
            return Mono.defer(() -> handler.handle(request)).onErrorResume(failure -> refused(request, failure));
        };
    }

    private Mono<ServerResponse> refused(ServerRequest request, Throwable failure) {
        if (failure instanceof ApiException refusal && refusal.code == ErrorCode.M_UNKNOWN_TOKEN) {
            return to(SIGN_IN);
        }
        var refusal = pages.refusalOf(request.exchange(), failure);
        return html(request, HttpStatus.valueOf(refusal.status()), "refusal", Map.of("refusal", refusal));
    }

    private static Mono<Form> form(ServerRequest request) {
        var browser = request.exchange().getRequest();
        Form.requireOwnPage(browser.getHeaders(), OperatorClient.host(browser));
        return DataBufferUtils.join(browser.getBody(), Form.BYTES_MAX)
                .map(buffer -> {
                    byte[] bytes = new byte[buffer.readableByteCount()];
                    buffer.read(bytes);
                    DataBufferUtils.release(buffer);
                    return Form.of(bytes);
                })
                .onErrorMap(
                        DataBufferLimitException.class,
                        _ -> new ApiException(ErrorCode.M_TOO_LARGE, "the form is too large"))
                .defaultIfEmpty(new Form(Map.of()));
    }

    static Mono<ServerResponse> to(String path) {
        return ServerResponse.status(SEE_OTHER).location(URI.create(path)).build();
    }

    private Mono<ServerResponse> html(ServerRequest request, HttpStatus status, String template, Map<String, ?> model) {
        return html(pages, request, status, template, model);
    }

    static Mono<ServerResponse> html(
            Pages pages, ServerRequest request, HttpStatus status, String template, Map<String, ?> model) {
        var all = new HashMap<String, Object>(model);
        return ServerResponse.status(status)
                .contentType(MediaType.TEXT_HTML)
                .bodyValue(pages.text(request.exchange(), template, all).getBytes(StandardCharsets.UTF_8));
    }
}
