// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.registration.RegistrationTokenAdministrationApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Registration tokens: the list, a new one, whose text is shown once, and the revocation. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/tokens")
class TokenPages {
    private final RegistrationTokenAdministrationApi tokens;
    private final Pages pages;

    TokenPages(RegistrationTokenAdministrationApi tokens, Pages pages) {
        this.tokens = tokens;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        return ListPage.read(tokens.list(caller, ListPage.query(asked)), TokenList.class)
                .map(list ->
                        pages.page(exchange, "tokens", Map.of("list", list, "search", "", "filter", "", "made", "")));
    }

    /** The answer to this form alone shows the text of the token. */
    @PostMapping
    Mono<ResponseEntity<String>> make(Caller caller, Form form, ServerWebExchange exchange) {
        var days = Duration.ofDays(form.number("days"));
        var terms = Map.of("uses", form.number("uses"), "expires_in_ms", days.toMillis());
        return tokens.make(caller, UserPages.body(terms))
                .map(made -> pages.page(
                        exchange,
                        "token-made",
                        Map.of("token", made.path("token").asString(""))));
    }

    @PostMapping("/{id}/revoke")
    Mono<ResponseEntity<String>> revoke(Caller caller, @PathVariable String id) {
        return tokens.revoke(caller, id).thenReturn(Pages.to(ConsoleCookie.PATH + "/tokens", "revoked"));
    }

    /** A page of tokens. */
    record TokenList(
            long total,
            @JsonProperty("registration_tokens") List<Token> tokens,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** A token without its text (contract.md 5.2). */
    record Token(
            String id,
            @JsonProperty("uses_left") @Nullable Long usesLeft,
            long pending,
            @JsonProperty("expires_at") @Nullable Long expiresAt,
            @JsonProperty("grants_admin") boolean grantsAdmin,
            @JsonProperty("created_at") @Nullable Long createdAt) {}
}
