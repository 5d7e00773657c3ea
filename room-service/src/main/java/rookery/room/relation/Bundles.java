package rookery.room.relation;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.room.roomlog.StoredEvent;

/** What is bundled with events in {@code unsigned.m.relations} (CONTRACT.md 9.7), for one reader. */
@Component
public class Bundles {
    Bundles() {}

    /** JSON objects, of those of the events that anything relates to which the reader may see. */
    public Mono<Map<EventId, String>> of(Audience audience, List<StoredEvent> events) {
        return Mono.just(Map.of());
    }
}
