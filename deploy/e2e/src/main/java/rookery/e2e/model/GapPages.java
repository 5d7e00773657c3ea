package rookery.e2e.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client found in the gap of a limited timeline, by paging back.
 *
 * @param to where it stopped; null when it went on to the beginning
 * @param events oldest first
 */
record GapPages(
        Person who,
        String chain,
        String room,
        String from,
        @Nullable String to,
        List<JsonNode> events,
        long startNanos) {
    GapPages {
        events = List.copyOf(events);
    }
}
