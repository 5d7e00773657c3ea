// SPDX-License-Identifier: Apache-2.0
package rookery.room.typing;

import java.time.Clock;
import java.util.Map;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.platform.ephemeral.EphemeralPublisher;
import rookery.platform.http.JsonBody;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/**
 * Sets or ends a typing notification (contract.md 11.1, 11.2). Sync nodes keep the deadlines; a record that does not reach the
 * sync nodes is lost without an error. Errors: M_MISSING_PARAM, M_BAD_JSON, M_FORBIDDEN.
 */
@RestController
@Import(EphemeralPublisher.class)
class TypingApi {
    private static final long TIMEOUT_MILLIS = 30_000;
    private static final long TIMEOUT_MILLIS_MIN = 1_000;
    private static final long TIMEOUT_MILLIS_MAX = 120_000;

    private final RoomReader reader;
    private final EphemeralPublisher publisher;
    private final Clock clock;

    TypingApi(RoomReader reader, EphemeralPublisher publisher, Clock clock) {
        this.reader = reader;
        this.publisher = publisher;
        this.clock = clock;
    }

    @PutMapping("/_api/client/v3/rooms/{roomId}/typing/{userId}")
    Mono<Map<String, Object>> typing(
            Caller caller, @PathVariable RoomId roomId, @PathVariable String userId, JsonBody body) {
        long timeoutMillis = body.bool("typing") ? timeoutMillis(body) : 0;
        if (!userId.equals(caller.user().value())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you can set only your own typing notification");
        }
        return reader.member(caller, roomId)
                .doOnNext(reading -> publisher.publish(typing(reading, timeoutMillis)))
                .thenReturn(Map.of());
    }

    private static long timeoutMillis(JsonBody body) {
        var requested = body.optionalInteger("timeout");
        return requested == null ? TIMEOUT_MILLIS : Math.clamp(requested, TIMEOUT_MILLIS_MIN, TIMEOUT_MILLIS_MAX);
    }

    private Typing typing(ReaderInRoom reading, long timeoutMillis) {
        var room = reading.room();
        return new Typing(room.tenant(), room.room(), reading.user(), reading.head(), timeoutMillis, clock.millis());
    }
}
