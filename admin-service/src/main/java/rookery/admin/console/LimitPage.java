// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.Arrays;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.ratelimit.RateLimitApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** How many requests an address may send. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/rate-limits")
class LimitPage {
    private final RateLimitApi limits;
    private final Pages pages;

    LimitPage(RateLimitApi limits, Pages pages) {
        this.limits = limits;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> show(Caller caller, ServerWebExchange exchange) {
        return limits.find(caller)
                .map(limit -> pages.page(
                        exchange,
                        "rate-limits",
                        Map.of("limit", limit, "networks", String.join("\n", limit.exemptIps()))));
    }

    @PostMapping
    Mono<ResponseEntity<String>> change(Caller caller, Form form) {
        var networks = Arrays.stream(form.text("exempt_ips").split("\\s+", -1))
                .filter(network -> !network.isEmpty())
                .toList();
        var change = Map.of(
                "enabled", form.isChecked("enabled"),
                "max_requests", form.number("max_requests"),
                "window_seconds", form.number("window_seconds"),
                "exempt_ips", networks,
                "per_user", form.isChecked("per_user"));
        return limits.change(caller, UserPages.body(change))
                .thenReturn(Pages.to(ConsoleCookie.PATH + "/rate-limits", "saved"));
    }
}
