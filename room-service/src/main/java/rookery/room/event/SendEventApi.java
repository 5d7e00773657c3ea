// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;

/** Sends a message event (contract.md 8.1, 2.7). Errors: M_BAD_JSON, M_INVALID_PARAM, M_FORBIDDEN, M_TOO_LARGE. */
@RestController
class SendEventApi {
    private final EventSender sender;
    private final EventRedactor redactor;

    SendEventApi(EventSender sender, EventRedactor redactor) {
        this.sender = sender;
        this.redactor = redactor;
    }

    @PutMapping("/_api/client/v3/rooms/{roomId}/send/{type}/{txnId}")
    Mono<SendAnswer> send(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable TransactionId txnId,
            JsonBody content) {
        var sent = type.equals(EventTypes.REDACTION)
                ? redactor.send(caller, roomId, content, txnId)
                : sender.send(caller, roomId, type, content.json(), txnId);
        return sent.map(SendAnswer::new);
    }

    record SendAnswer(@JsonProperty("event_id") EventId eventId) {}
}
