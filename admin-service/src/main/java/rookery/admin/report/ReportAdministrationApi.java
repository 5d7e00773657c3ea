// SPDX-License-Identifier: Apache-2.0
package rookery.admin.report;

import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;

/**
 * Reports of events, rooms and users, for administrators of the tenant (contract.md 5.2, 5.3). Errors: M_FORBIDDEN for other
 * users before any lookup, M_NOT_FOUND, M_INVALID_PARAM.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin/reports")
public class ReportAdministrationApi {
    private static final String OPEN = "open";
    private static final String CLOSED = "closed";
    private static final int NOTE_CHARS_MAX = 2_000;

    private final ReportClient reports;
    private final Audit audit;

    ReportAdministrationApi(ReportClient reports, Audit audit) {
        this.reports = reports;
        this.audit = audit;
    }

    /** Newest first. {@code state} selects open or closed reports, {@code limit} divides the list into pages. */
    @GetMapping
    public Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var lines = reports.list(caller.tenant(), isClosed(query.getFirst("state")), ListQuery.of(query));
        return audit.recorded(caller, "list reports", "", ListDocument.of("reports", lines));
    }

    @GetMapping("/{reportId}")
    public Mono<JsonNode> find(Caller caller, @PathVariable String reportId) {
        return audit.recorded(caller, "see report", reportId, reports.find(caller.tenant(), reportId));
    }

    /** Closes the report, with a note for other administrators. Idempotent. */
    @PostMapping("/{reportId}")
    public Mono<JsonNode> close(Caller caller, @PathVariable String reportId, JsonBody body) {
        if (!body.string("state").equals(CLOSED)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a report can only be closed: send \"state\": \"closed\"");
        }
        var note = body.optionalString("note");
        if (note != null && note.length() > NOTE_CHARS_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "give a note of at most " + NOTE_CHARS_MAX + " characters");
        }
        var act = reports.close(caller.tenant(), reportId, caller.user(), note);
        return audit.recorded(caller, "close report", reportId, act);
    }

    private static @Nullable Boolean isClosed(@Nullable String state) {
        return switch (state) {
            case null -> null;
            case OPEN -> false;
            case CLOSED -> true;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "state is open or closed");
        };
    }
}
