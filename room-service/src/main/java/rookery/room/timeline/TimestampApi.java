// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/**
 * The visible event nearest to a timestamp (contract.md 8.1): at or after, or at or before. Clocks are wrong at times, so the
 * order of events is not the order of timestamps; among equal timestamps the event nearest in the room's order counts. Errors:
 * M_FORBIDDEN, M_NOT_FOUND, M_MISSING_PARAM, M_INVALID_PARAM.
 */
@RestController
class TimestampApi {
    private static final int DIGITS_MAX = 18;

    private final RoomReader reader;
    private final EventTimes times;
    private final VisibilityRows visibilities;

    TimestampApi(RoomReader reader, EventTimes times, VisibilityRows visibilities) {
        this.reader = reader;
        this.times = times;
        this.visibilities = visibilities;
    }

    @GetMapping("/_api/client/v1/rooms/{roomId}/timestamp_to_event")
    Mono<TimestampAnswer> nearest(
            Caller caller, @PathVariable RoomId roomId, @RequestParam String ts, @RequestParam String dir) {
        long millis = millis(ts);
        var direction = MessagesApi.direction(dir);
        return reader.reading(caller, roomId)
                .zipWhen(visibilities::places)
                .flatMap(both -> nearest(both.getT1(), both.getT2(), millis, direction))
                .map(event -> new TimestampAnswer(
                        event.event().meta().eventId(), event.event().meta().ts()))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")));
    }

    private static long millis(String ts) {
        if (!ts.matches("-?[0-9]+")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "ts is a number of milliseconds");
        }
        if (ts.replaceFirst("^-?0*", "").length() > DIGITS_MAX) {
            return ts.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return Long.parseLong(ts);
    }

    private Mono<StoredEvent> nearest(ReaderInRoom reading, VisiblePlaces places, long ts, Direction direction) {
        return times.nearest(reading.room(), places, ts, direction)
                .filter(events -> !events.isEmpty())
                .switchIfEmpty(Mono.defer(() -> times.atEdges(reading.room(), places, ts, direction)))
                .mapNotNull(events -> firstSeen(reading, events));
    }

    private static @Nullable StoredEvent firstSeen(ReaderInRoom reading, List<StoredEvent> events) {
        return events.stream().filter(reading::sees).findFirst().orElse(null);
    }

    record TimestampAnswer(
            @JsonProperty("event_id") EventId eventId,
            @JsonProperty("origin_server_ts") long originServerTs) {}
}
