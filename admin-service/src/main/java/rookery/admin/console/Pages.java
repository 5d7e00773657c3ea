// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.ErrorAnswers;

/** Writes the pages of the console from the templates under {@code resources/console}. */
@Component
class Pages {
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);
    private static final String SIGN_IN = ConsoleCookie.PATH + "/sign-in";
    private static final int SECONDS_MIN = 1;
    /** Thymeleaf drops what is around a fragment. */
    private static final String DOCTYPE = "<!doctype html>\n";

    /** The texts that a page shows after an act; the query names one, so that a link cannot show text of its own. */
    private static final Map<String, String> DONE = Map.ofEntries(
            Map.entry("saved", "Saved."),
            Map.entry("approved", "The account is approved: its owner can sign in."),
            Map.entry("blocked", "The account is blocked: its owner can only sign out."),
            Map.entry("unblocked", "The account can be used again."),
            Map.entry("suspended", "The account is suspended: its owner can read and leave rooms."),
            Map.entry("unsuspended", "The account is no longer suspended."),
            Map.entry("promoted", "The account is an administrator now."),
            Map.entry("demoted", "The account is no longer an administrator."),
            Map.entry("password", "The account has the new password."),
            Map.entry("deactivated", "The account is deactivated."),
            Map.entry("device", "The device is signed out."),
            Map.entry("kicked", "The person is removed from the room."),
            Map.entry("banned", "The person is banned from the room."),
            Map.entry("purged", "The room is gone. Its content is being deleted."),
            Map.entry("closed", "The report is closed."),
            Map.entry("revoked", "The token is revoked."),
            Map.entry("quarantined", "The file is in quarantine: nobody can open it."),
            Map.entry("unquarantined", "The file can be opened again."),
            Map.entry("redacting", "The newest messages in each room are being removed."),
            Map.entry("deleted", "The file is deleted."));

    private final SpringTemplateEngine engine = engine();
    private final ErrorAnswers errors;

    Pages(ErrorAnswers errors) {
        this.errors = errors;
    }

    private static SpringTemplateEngine engine() {
        var templates = new ClassLoaderTemplateResolver(Pages.class.getClassLoader());
        templates.setPrefix("console/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        var engine = new SpringTemplateEngine();
        engine.setTemplateResolver(templates);
        return engine;
    }

    /** Headers of every answer: no scripts but our own, no frames, no caches. */
    static void harden(HttpHeaders answer) {
        answer.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                        + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
        answer.set("X-Frame-Options", "DENY");
        answer.set("X-Content-Type-Options", "nosniff");
        answer.set("Cross-Origin-Opener-Policy", "same-origin");
        answer.set("Cross-Origin-Resource-Policy", "same-origin");
        answer.set("Referrer-Policy", "same-origin"); // with no-referrer, forms would have no Origin
        answer.setCacheControl("no-store");
    }

    /** A page, with the session's navigation around it. */
    ResponseEntity<String> page(ServerWebExchange exchange, String template, Map<String, ?> model) {
        return page(exchange, HttpStatus.OK, template, model);
    }

    ResponseEntity<String> page(
            ServerWebExchange exchange, HttpStatusCode status, String template, Map<String, ?> model) {
        return ResponseEntity.status(status).contentType(HTML).body(text(exchange, template, model));
    }

    /** The page as text. */
    String text(ServerWebExchange exchange, String template, Map<String, ?> model) {
        var variables = new HashMap<String, Object>(model);
        ConsoleSession session = exchange.getAttribute(ConsoleSession.ATTRIBUTE);
        var query = exchange.getRequest().getQueryParams();
        variables.put("session", session);
        variables.put("show", PageTexts.INSTANCE);
        variables.put("at", exchange.getRequest().getPath().value());
        var done = query.getFirst("done");
        variables.put("done", done == null ? null : DONE.get(done));
        return DOCTYPE + engine.process(template, new Context(Locale.ENGLISH, variables));
    }

    /** To another page of the console after a form, so that a reload does not repeat the act. */
    static ResponseEntity<String> to(String path) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(path))
                .build();
    }

    /** The same with the message about an act. */
    static ResponseEntity<String> to(String path, String done) {
        return to(path + (path.indexOf('?') < 0 ? "?" : "&") + "done=" + done);
    }

    /** To the sign-in page, which leads back to the page that was asked for. */
    Mono<Void> signInFirst(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        var builder = UriComponentsBuilder.fromPath(SIGN_IN);
        if (request.getMethod().equals(HttpMethod.GET)) {
            builder.queryParam("next", "{next}");
        }
        var target = builder.build(Map.of("next", next(request.getURI())));
        var response = exchange.getResponse();
        if (request.getHeaders().containsHeader("HX-Request")) {
            response.setStatusCode(HttpStatus.OK);
            response.getHeaders().set("HX-Redirect", target.toString());
            return response.setComplete();
        }
        response.setStatusCode(HttpStatus.SEE_OTHER);
        response.getHeaders().setLocation(target);
        return response.setComplete();
    }

    private static String next(URI uri) {
        var query = uri.getRawQuery();
        return uri.getRawPath() + (query == null ? "" : "?" + query);
    }

    /** The refusal of a path or an act that the console does not have. */
    static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such page");
    }

    /** A failure as a page, with the status of the API. */
    Mono<Void> refusal(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            return Mono.error(failure);
        }
        var refusal = refusalOf(exchange, failure);
        var response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(refusal.status));
        harden(response.getHeaders());
        response.getHeaders().setContentType(HTML);
        byte[] page = text(exchange, "refusal", Map.of("refusal", refusal)).getBytes(StandardCharsets.UTF_8);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(page)));
    }

    /** What the page about a failure says. */
    Refusal refusalOf(ServerWebExchange exchange, Throwable failure) {
        var refusal = errors.refusal(exchange, failure);
        int wait = refusal.retryAfterSeconds == null ? 0 : Math.max(SECONDS_MIN, refusal.retryAfterSeconds);
        return new Refusal(refusal.reason, refusal.status, wait);
    }

    /**
     * A refusal as a page.
     *
     * @param pause in seconds, 0 where a repetition does not help
     */
    record Refusal(String reason, int status, int pause) {}
}
