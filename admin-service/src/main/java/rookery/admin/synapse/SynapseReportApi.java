// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.report.ReportClient;
import rookery.admin.synapse.OffsetLists.ReportFilter;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Open reports of events (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, M_NOT_FOUND, M_INVALID_PARAM.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1")
class SynapseReportApi {
    private static final Pattern ID = Pattern.compile("[0-9]{1,19}");
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final OffsetDocument REPORTS =
            new OffsetDocument("event_reports", "total", "next_token", null, false, SynapseReportApi::shape);

    private final ReportClient reports;
    private final OffsetLists lists;
    private final Audit audit;

    SynapseReportApi(ReportClient reports, OffsetLists lists, Audit audit) {
        this.reports = reports;
        this.lists = lists;
        this.audit = audit;
    }

    /** The newest first, or with {@code dir=f} the oldest. */
    @GetMapping("/event_reports")
    Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        OffsetQuery.refuse(query, "user_id", "room_id", "event_sender_user_id");
        var page = OffsetQuery.of(query);
        var filter = new ReportFilter(caller.tenant(), false, true, null, isRising(query.getFirst("dir")));
        return audit.recorded(caller, "list reports", "", REPORTS.of(page, lists.reports(filter, page)));
    }

    private static boolean isRising(@Nullable String dir) {
        return switch (dir) {
            case null -> false;
            case "b" -> false;
            case "f" -> true;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "dir is b or f");
        };
    }

    private static ObjectNode shape(JsonNode report) {
        var shape = JsonNodeFactory.instance.objectNode();
        shape.set("id", report.path("id"));
        shape.set("received_ts", report.path("created_ts"));
        shape.set("room_id", report.path("room_id"));
        shape.set("name", report.path("room_name"));
        shape.set("event_id", report.path("event_id"));
        shape.set("user_id", report.path("reporter"));
        shape.set("reason", report.path("reason"));
        shape.set("sender", report.path("user_id"));
        return shape.putNull("score").putNull("canonical_alias");
    }

    @GetMapping("/event_reports/{reportId}")
    Mono<ObjectNode> report(Caller caller, @PathVariable String reportId) {
        return audit.recorded(caller, "see report", reportId, ofEvent(caller, reportId))
                .map(report -> {
                    var shape = shape(report);
                    shape.set("event_json", event(report));
                    return shape;
                });
    }

    private Mono<JsonNode> ofEvent(Caller caller, String reportId) {
        if (!ID.matcher(reportId).matches()) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such report of an event");
        }
        return reports.find(caller.tenant(), reportId)
                .filter(report -> report.path("event_id").isString())
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such report of an event")));
    }

    /** The event as reported, with the ids that stand beside the event in a report. */
    private static JsonNode event(JsonNode report) {
        if (!(report.path("event") instanceof ObjectNode event)) {
            return JsonNodeFactory.instance.nullNode();
        }
        event.set("room_id", report.path("room_id"));
        return event;
    }

    /** Closes the report, which is deleted later (contract.md 13.11). */
    @DeleteMapping("/event_reports/{reportId}")
    Mono<Map<String, String>> delete(Caller caller, @PathVariable String reportId) {
        var act = ofEvent(caller, reportId)
                .then(Mono.defer(() -> reports.close(caller.tenant(), reportId, caller.user(), null)));
        return audit.recorded(caller, "close report", reportId, act).thenReturn(Map.of());
    }

    /** A reported event as in the report, without neighbouring events; M_NOT_FOUND for other events. */
    @GetMapping("/rooms/{roomId}/context/{eventId}")
    Mono<ObjectNode> context(Caller caller, @PathVariable String roomId, @PathVariable EventId eventId) {
        var room = Local.room(caller, roomId).value();
        var filter = new ReportFilter(caller.tenant(), null, true, eventId, false);
        var event = lists.reports(filter, new OffsetQuery(0, 1, null))
                .map(JSON::readTree)
                .filter(line -> line.path("room_id").asString("").equals(room))
                .next()
                .flatMap(report ->
                        reports.find(caller.tenant(), report.path("id").asString()))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "nobody reported this event")));
        return audit.recorded(caller, "see reported event", roomId + " " + eventId.value(), event)
                .map(report -> {
                    var answer = JsonNodeFactory.instance.objectNode();
                    answer.set("event", event(report));
                    answer.putArray("events_before");
                    answer.putArray("events_after");
                    answer.putArray("state");
                    return answer;
                });
    }
}
