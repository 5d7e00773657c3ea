// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;

/**
 * Redacts an event (contract.md 8.1, 9.6). Errors: M_BAD_JSON, M_INVALID_PARAM, M_FORBIDDEN, M_NOT_FOUND, M_TOO_LARGE,
 * and M_USER_SUSPENDED for other senders' events.
 */
@RestController
class RedactApi {
    private final EventRedactor redactor;

    RedactApi(EventRedactor redactor) {
        this.redactor = redactor;
    }

    @PutMapping("/_api/client/v3/rooms/{roomId}/redact/{eventId}/{txnId}")
    Mono<RedactAnswer> redact(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable EventId eventId,
            @PathVariable TransactionId txnId,
            JsonBody body) {
        return redactor.redact(caller, roomId, eventId, body.optionalString("reason"), txnId)
                .map(RedactAnswer::new);
    }

    record RedactAnswer(@JsonProperty("event_id") EventId eventId) {}
}
