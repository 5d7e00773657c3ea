package rookery.room.timeline;

import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.UserId;
import rookery.platform.event.EventText;
import rookery.platform.json.JsonText;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.HistoryVisibility.Seen;
import rookery.room.authorization.MemberHistory;
import rookery.room.roomlog.StoredEvent;
import rookery.room.timeline.RoomReader.Reading;

/** Events as one reader gets them outside a sync: with their room, and what depends on the reader (CONTRACT.md 9.1). */
@Component
public class ShownEvents {
    private final Clock clock;

    ShownEvents(Clock clock) {
        this.clock = clock;
    }

    /** Events of one room, in the order given. */
    public Mono<List<JsonText>> showAll(List<StoredEvent> events, Reading reading, Caller caller) {
        return Mono.fromSupplier(
                () -> events.stream().map(event -> show(event, reading, caller)).toList());
    }

    /** One event. */
    public JsonText show(StoredEvent event, Reading reading, Caller caller) {
        var reader = new EventText.Reader(
                caller.user(),
                caller.device(),
                reading.history().at(event.pos()),
                sawPrevious(event, caller.user(), reading.history()));
        return new JsonText(EventText.render(event.event(), reading.room().room(), reader, clock.millis()));
    }

    /** Whether the reader may see the state event that this one replaced. */
    public static boolean sawPrevious(StoredEvent event, UserId user, MemberHistory history) {
        var replaced = event.event().meta().replaces();
        @Nullable
        String member = event.event().meta().membership() == null
                ? null
                : event.event().meta().stateKey();
        return replaced != null
                && HistoryVisibility.isVisible(
                        new Seen(replaced.pos(), replaced.visibility(), null, member), user, history);
    }
}
