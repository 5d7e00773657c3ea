// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.tenant.SettingsAdministrationApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The settings of the tenant, with a form for the settings that administrators may change. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/settings")
class SettingsPage {
    private static final Set<String> TEXTS = Set.of("registration", "room_version");
    private static final Set<String> FLAGS = Set.of("presence", "delayed_events");

    private final SettingsAdministrationApi settings;
    private final Pages pages;

    SettingsPage(SettingsAdministrationApi settings, Pages pages) {
        this.settings = settings;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> show(Caller caller, ServerWebExchange exchange) {
        return settings.show(caller)
                .map(found -> pages.page(exchange, "settings", Map.of("settings", PageTexts.INSTANCE.settings(found))));
    }

    /** An empty field changes nothing. */
    @PostMapping
    Mono<ResponseEntity<String>> change(Caller caller, Form form) {
        var change = new HashMap<String, Object>();
        TEXTS.stream()
                .filter(field -> !form.text(field).isEmpty())
                .forEach(field -> change.put(field, form.text(field)));
        FLAGS.stream()
                .filter(field -> !form.text(field).isEmpty())
                .forEach(field -> change.put(field, form.text(field).equals("true")));
        return settings.change(caller, UserPages.body(change))
                .thenReturn(Pages.to(ConsoleCookie.PATH + "/settings", "saved"));
    }
}
