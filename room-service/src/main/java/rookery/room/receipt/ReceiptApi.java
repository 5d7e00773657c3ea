// SPDX-License-Identifier: Apache-2.0
package rookery.room.receipt;

import java.util.ArrayList;
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
import rookery.model.event.AccountDataTypes;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;
import rookery.room.receipt.ReadMarker.Mark;

/** Receipts and read markers (contract.md 11.1, 11.3). Errors: M_INVALID_PARAM, M_BAD_JSON, M_FORBIDDEN, M_NOT_FOUND. */
@RestController
class ReceiptApi {
    private static final Map<String, Object> NOTHING = Map.of();
    private static final List<String> TYPES =
            List.of(ReceiptTypes.READ, ReceiptTypes.READ_PRIVATE, AccountDataTypes.FULLY_READ);

    private final ReadMarker marker;

    ReceiptApi(ReadMarker marker) {
        this.marker = marker;
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/receipt/{receiptType}/{eventId}")
    Mono<Map<String, Object>> receipt(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String receiptType,
            @PathVariable EventId eventId,
            JsonBody body) {
        if (!TYPES.contains(receiptType)) {
            throw invalid("a receipt is of type " + String.join(", ", TYPES));
        }
        var mark = new Mark(receiptType, eventId, thread(receiptType, body));
        return marker.set(caller, roomId, List.of(mark)).thenReturn(NOTHING);
    }

    private static @Nullable String thread(String type, JsonBody body) {
        if (!body.has("thread_id")) {
            return null;
        }
        var thread = body.json().get("thread_id");
        if (!thread.isString() || thread.stringValue().isEmpty()) {
            throw invalid("thread_id is main or the id of an event");
        }
        if (type.equals(AccountDataTypes.FULLY_READ)) {
            throw invalid(type + " is not of a thread");
        }
        return thread.stringValue();
    }

    /** Writes all markers, or no marker if the caller cannot read one of the events. */
    @PostMapping("/_api/client/v3/rooms/{roomId}/read_markers")
    Mono<Map<String, Object>> markers(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        var marks = new ArrayList<Mark>();
        for (String type : TYPES) {
            String event = body.optionalString(type);
            if (event != null) {
                marks.add(new Mark(type, new EventId(event), null));
            }
        }
        return marker.set(caller, roomId, marks).thenReturn(NOTHING);
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
