// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Medium;
import rookery.auth.validation.Validation.Expired;
import rookery.auth.validation.Validation.Right;
import rookery.auth.validation.Validation.Verdict;
import rookery.auth.validation.Validation.Wrong;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.WholeBody;

/**
 * Accepts validation tokens (contract.md 7.3). Errors: M_TOKEN_INCORRECT, M_SESSION_EXPIRED, M_INVALID_PARAM, M_MISSING_PARAM;
 * the pages behind the link of a mail show errors as a page with status 400.
 */
@RestController
@Access(Level.NONE)
class SubmitTokenApi {
    private static final String EMAIL = "/_api/client/v3/validate/email/submitToken";
    private static final String PHONE = "/_api/client/v3/validate/msisdn/submitToken";
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    private final Submission submission;
    private final Templates templates;

    SubmitTokenApi(Submission submission, Templates templates) {
        this.submission = submission;
        this.templates = templates;
    }

    /** The page behind the link changes nothing; its button submits the token. */
    @GetMapping(EMAIL)
    Mono<ResponseEntity<String>> page(
            Caller caller,
            @RequestParam(required = false) @Nullable String sid,
            @RequestParam(name = "client_secret", required = false) @Nullable String clientSecret,
            @RequestParam(required = false) @Nullable String token) {
        return Mono.defer(() -> confirmationPage(caller, new TokenSubmission(sid, clientSecret, token, true)))
                .onErrorResume(ApiException.class, this::failed);
    }

    @PostMapping(EMAIL)
    Mono<ResponseEntity<?>> email(Caller caller, ServerWebExchange exchange) {
        return submitted(exchange)
                .flatMap(submitted -> submitted.page()
                        ? pressed(caller, submitted)
                        : right(caller, Medium.EMAIL, submitted).thenReturn(success()));
    }

    @PostMapping(PHONE)
    Mono<ResponseEntity<?>> phone(Caller caller, ServerWebExchange exchange) {
        return submitted(exchange)
                .flatMap(submitted -> right(caller, Medium.MSISDN, submitted))
                .map(_ -> success());
    }

    /** Reads the exchange, because Spring passes no unparsed form to a handler's argument. */
    private static Mono<TokenSubmission> submitted(ServerWebExchange exchange) {
        var headers = exchange.getRequest().getHeaders();
        // read as text: no type is required, so a malformed header must not fail the request
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        String accepted = headers.getFirst(HttpHeaders.ACCEPT);
        boolean form = type != null && type.strip().startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
        boolean html = accepted != null && accepted.contains(MediaType.TEXT_HTML_VALUE);
        return Mono.fromSupplier(() -> TokenSubmission.of(WholeBody.of(exchange).bytes(), form, html));
    }

    private Mono<ResponseEntity<String>> confirmationPage(Caller caller, TokenSubmission submitted) {
        var credentials = submitted.credentials();
        String token = submitted.requireToken();
        Map<String, Object> values = Map.of(
                "server", caller.server().value(),
                "sid", credentials.sid(),
                "secret", credentials.clientSecret(),
                "token", token);
        return submission
                .tried(caller.tenant(), Medium.EMAIL, credentials, token)
                .map(SubmitTokenApi::requireRight)
                .map(_ -> page(HttpStatus.OK, "confirm.html", values));
    }

    private Mono<ResponseEntity<String>> pressed(Caller caller, TokenSubmission submitted) {
        return Mono.defer(() -> right(caller, Medium.EMAIL, submitted))
                .map(this::nextPage)
                .onErrorResume(ApiException.class, this::failed);
    }

    private ResponseEntity<String> nextPage(Right right) {
        String next = right.nextLink();
        return next == null ? page(HttpStatus.OK, "done.html", Map.of()) : redirect(next);
    }

    private Mono<Right> right(Caller caller, Medium medium, TokenSubmission submitted) {
        return submission
                .submitted(caller.tenant(), medium, submitted.credentials(), submitted.requireToken())
                .map(SubmitTokenApi::requireRight);
    }

    private static Right requireRight(Verdict verdict) {
        return switch (verdict) {
            case Right right -> right;
            case Wrong _ ->
                throw new ApiException(ErrorCode.M_TOKEN_INCORRECT, "the token is not the one that was sent");
            case Expired _ ->
                throw new ApiException(ErrorCode.M_SESSION_EXPIRED, "the token has expired, or was tried too often");
        };
    }

    private static ResponseEntity<Map<String, Boolean>> success() {
        return ResponseEntity.ok(Map.of("success", true));
    }

    private Mono<ResponseEntity<String>> failed(ApiException refusal) {
        return refusal.status >= HttpStatus.INTERNAL_SERVER_ERROR.value()
                ? Mono.error(refusal)
                : Mono.just(page(HttpStatus.BAD_REQUEST, "failed.html", Map.of("reason", refusal.reason)));
    }

    private ResponseEntity<String> page(HttpStatusCode status, String template, Map<String, Object> values) {
        return guarded(status).contentType(HTML).body(templates.filled(template, values));
    }

    private static ResponseEntity<String> redirect(String link) {
        return guarded(HttpStatus.FOUND).location(URI.create(link)).build();
    }

    /** The pages run no scripts, cannot be framed, and never send their secret address as a referrer. */
    private static ResponseEntity.BodyBuilder guarded(HttpStatusCode status) {
        return ResponseEntity.status(status)
                .header("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
