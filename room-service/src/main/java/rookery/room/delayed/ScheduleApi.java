// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;

/**
 * Schedules events: the requests for sending with a delay, and the proposal's own endpoint (contract.md 8.5). Errors: those of sending
 * except for the room, M_UNKNOWN, M_INVALID_PARAM, M_LIMIT_EXCEEDED.
 */
@RestController
class ScheduleApi {
    private static final String DELAY = "org.matrix.msc4140.delay";

    private final EventScheduler scheduler;

    ScheduleApi(EventScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @PutMapping(path = "/_api/client/v3/rooms/{roomId}/send/{type}/{txnId}", params = DELAY)
    Mono<DelayAnswer> send(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable TransactionId txnId,
            @RequestParam(DELAY) String delay,
            JsonBody content) {
        return schedule(ScheduleRequest.event(caller, roomId, type, null, content, millis(delay))
                .with(txnId));
    }

    @PutMapping(
            path = {"/_api/client/v3/rooms/{roomId}/state/{type}", "/_api/client/v3/rooms/{roomId}/state/{type}/"},
            params = DELAY)
    Mono<DelayAnswer> set(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @RequestParam(DELAY) String delay,
            JsonBody content) {
        return schedule(ScheduleRequest.event(caller, roomId, type, "", content, millis(delay)));
    }

    @PutMapping(path = "/_api/client/v3/rooms/{roomId}/state/{type}/{stateKey}", params = DELAY)
    Mono<DelayAnswer> set(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable String stateKey,
            @RequestParam(DELAY) String delay,
            JsonBody content) {
        return schedule(ScheduleRequest.event(caller, roomId, type, stateKey, content, millis(delay)));
    }

    @PutMapping("/_api/client/unstable/org.matrix.msc4140/rooms/{roomId}/delayed_event/{type}/{txnId}")
    Mono<DelayAnswer> delay(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable TransactionId txnId,
            JsonBody body) {
        var delay = body.optionalInteger("delay");
        if (delay == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field delay is missing");
        }
        String stateKey = body.optionalString("state_key");
        return schedule(ScheduleRequest.event(caller, roomId, type, stateKey, body.object("content"), delay)
                .with(txnId));
    }

    private Mono<DelayAnswer> schedule(ScheduleRequest request) {
        return scheduler.schedule(request).map(DelayAnswer::new);
    }

    /** A value that is no number is refused with the other values that cannot be used, and never sent at once. */
    private static long millis(String delay) {
        try {
            return Long.parseLong(delay);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    record DelayAnswer(@JsonProperty("delay_id") String delayId) {}
}
