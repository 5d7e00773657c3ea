// SPDX-License-Identifier: Apache-2.0
package rookery.room.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.redaction.ErasedSenders;
import rookery.room.report.Reports.Subject;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.TimelineRows;

/**
 * Reports to the administrators of the tenant (contract.md 13.11). Errors: M_INVALID_PARAM for a long reason, M_LIMIT_EXCEEDED
 * for many reports. An event is M_NOT_FOUND unless the reporter is joined to the room and sees the event. The answer for a room
 * or a user does not reveal whether the room or the user exists.
 */
@RestController
class ReportApi {
    private static final int REASON_CHARS_MAX = 2_000;

    private final RoomReader reader;
    private final TimelineRows timeline;
    private final ErasedSenders erased;
    private final Reports reports;

    ReportApi(RoomReader reader, TimelineRows timeline, ErasedSenders erased, Reports reports) {
        this.reader = reader;
        this.timeline = timeline;
        this.erased = erased;
        this.reports = reports;
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/report/{eventId}")
    Mono<Map<String, Object>> event(
            Caller caller, @PathVariable RoomId roomId, @PathVariable EventId eventId, JsonBody body) {
        var reason = checked(body.optionalString("reason"));
        return reader.member(caller, roomId)
                .onErrorComplete(ApiException.class)
                .flatMap(reading -> visible(reading, eventId))
                .switchIfEmpty(Mono.error(() -> new ApiException(
                        ErrorCode.M_NOT_FOUND, "the event was not found, or you are not joined to its room")))
                .flatMap(event -> reports.add(caller, Subject.event(roomId, event), reason))
                .thenReturn(Map.of());
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/report")
    Mono<Map<String, Object>> room(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        var reason = checked(body.string("reason"));
        return reader.anyReading(new TenantRoom(caller.tenant(), roomId), caller.user())
                .flatMap(_ -> reports.add(caller, Subject.room(roomId), reason))
                .thenReturn(Map.of());
    }

    @PostMapping("/_api/client/v3/users/{userId}/report")
    Mono<Map<String, Object>> user(Caller caller, @PathVariable UserId userId, JsonBody body) {
        var reason = checked(body.string("reason"));
        return userId.isOf(caller.server())
                ? reports.add(caller, Subject.user(userId), reason).thenReturn(Map.of())
                : Mono.just(Map.of());
    }

    private Mono<StoredEvent> visible(ReaderInRoom reading, EventId eventId) {
        return timeline.find(reading.room(), eventId)
                .filter(reading::sees)
                .flatMap(event -> erased.stripped(reading.room(), reading.history(), List.of(event)))
                .map(List::getFirst);
    }

    private static String checked(@Nullable String reason) {
        if (reason == null) {
            return "";
        }
        if (reason.length() > REASON_CHARS_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "give a reason of at most " + REASON_CHARS_MAX + " characters");
        }
        return reason;
    }
}
