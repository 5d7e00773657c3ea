// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import rookery.admin.report.ReportAdministrationApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import tools.jackson.databind.JsonNode;

/** What people have reported: the queue of open reports, the closed ones, and one report with the event as reported. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/reports")
class ReportPages {
    private static final String CLOSED = "closed";

    private final ReportAdministrationApi reports;
    private final Pages pages;

    ReportPages(ReportAdministrationApi reports, Pages pages) {
        this.reports = reports;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        var state = ListPage.value(asked, "filter").equals(CLOSED) ? CLOSED : "open";
        query.set("state", state);
        return ListPage.read(reports.list(caller, query), ReportList.class)
                .map(list -> pages.page(exchange, "reports", Map.of("list", list, "search", "", "filter", state)));
    }

    @GetMapping("/{reportId}")
    Mono<ResponseEntity<String>> show(Caller caller, @PathVariable String reportId, ServerWebExchange exchange) {
        return reports.find(caller, reportId).map(found -> {
            var report = ListPage.as(found, Report.class);
            var event = report.event == null ? "" : report.event.toPrettyString();
            return pages.page(exchange, "report", Map.of("report", report, "event", event));
        });
    }

    @PostMapping("/{reportId}/close")
    Mono<ResponseEntity<String>> close(Caller caller, @PathVariable String reportId, Form form) {
        var note = form.text("note");
        var fields = note.isEmpty() ? Map.of("state", CLOSED) : Map.of("state", CLOSED, "note", note);
        return reports.close(caller, reportId, UserPages.body(fields))
                .thenReturn(Pages.to(ConsoleCookie.PATH + "/reports", CLOSED));
    }

    /** A page of reports. */
    record ReportList(
            long total,
            List<Report> reports,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** A report (contract.md 5.2). */
    record Report(
            String id,
            @Nullable String reporter,
            @Nullable String reason,
            @JsonProperty("created_ts") @Nullable Long createdAt,
            @JsonProperty("room_id") @Nullable String roomId,
            @JsonProperty("room_name") @Nullable String roomName,
            @JsonProperty("event_id") @Nullable String eventId,
            @Nullable JsonNode event,
            @JsonProperty("user_id") @Nullable String userId,
            String state,
            @JsonProperty("closed_ts") @Nullable Long closedAt,
            @JsonProperty("closed_by") @Nullable String closedBy,
            @Nullable String note) {
        /** What was reported. */
        public String kind() {
            return eventId != null ? "Message" : roomId != null ? "Room" : "Person";
        }
    }
}
