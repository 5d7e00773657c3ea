package rookery.room.timeline;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.json.JsonText;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** One event (contract.md 8.1). M_NOT_FOUND for an absent or invisible event, also in an unknown room. */
@RestController
class EventApi {
    private final RoomReader reader;
    private final TimelineRows timeline;
    private final ShownEvents shown;

    EventApi(RoomReader reader, TimelineRows timeline, ShownEvents shown) {
        this.reader = reader;
        this.timeline = timeline;
        this.shown = shown;
    }

    @GetMapping("/_api/client/v3/rooms/{roomId}/event/{eventId}")
    Mono<JsonText> event(Caller caller, @PathVariable RoomId roomId, @PathVariable EventId eventId) {
        return reader.reading(caller, roomId)
                .onErrorResume(ApiException.class, _ -> Mono.empty())
                .flatMap(reading -> event(caller, reading, eventId))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")));
    }

    private Mono<JsonText> event(Caller caller, ReaderInRoom reading, EventId eventId) {
        return timeline.find(reading.room(), eventId)
                .filter(reading::sees)
                .flatMap(event -> shown.showAll(List.of(event), reading, caller))
                .map(List::getFirst);
    }
}
