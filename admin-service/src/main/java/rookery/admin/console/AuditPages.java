// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.audit.AuditApi;
import rookery.admin.audit.AuditRecord;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Who did what to whom, and whether it was refused: as a page and as CSV. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/audit")
class AuditPages {
    private static final List<String> FILTERS = List.of("actor", "action", "target");
    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);
    private static final String HEAD = "time,actor,action,target,address,request,status\r\n";
    /** A spreadsheet runs cells that begin with one of these as formulas; user ids are none. */
    private static final Pattern FORMULA = Pattern.compile("[=+@\t\r-].*", Pattern.DOTALL);

    private static final Pattern USER_ID = Pattern.compile("@[a-z0-9._=/+-]+:[a-z0-9.:\\[\\]-]+");

    private final AuditApi audit;
    private final Pages pages;

    AuditPages(AuditApi audit, Pages pages) {
        this.audit = audit;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        FILTERS.forEach(filter -> ListPage.copy(asked, query, filter));
        return audit.list(caller, query)
                .map(page -> pages.page(
                        exchange,
                        "audit",
                        Map.of(
                                "list", page,
                                "next", ListPage.orEmpty(page.next()),
                                "filters",
                                        FILTERS.stream()
                                                .collect(Collectors.toMap(
                                                        filter -> filter, filter -> ListPage.value(asked, filter))))));
    }

    @GetMapping("/records.csv")
    ResponseEntity<Flux<String>> csv(Caller caller, @RequestParam MultiValueMap<String, String> asked) {
        var lines = audit.all(caller, asked).map(AuditPages::line);
        return ResponseEntity.ok()
                .contentType(CSV)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\"")
                .body(Flux.concat(Mono.just(HEAD), lines));
    }

    private static String line(AuditRecord record) {
        return Stream.of(
                        Instant.ofEpochMilli(record.millis()).toString(),
                        record.actor(),
                        record.action(),
                        record.target(),
                        record.ip(),
                        record.requestId(),
                        record.status() == null ? "" : record.status().toString())
                .map(AuditPages::cell)
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    static String cell(String text) {
        boolean isFormula =
                FORMULA.matcher(text).matches() && !USER_ID.matcher(text).matches();
        var plain = isFormula ? "'" + text : text;
        return "\"" + plain.replace("\"", "\"\"") + "\"";
    }
}
