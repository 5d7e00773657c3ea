// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The events that a limited timeline of sync omitted: between {@code prev_batch} and the {@code since} of the request. */
public record Gap(String room, String prevBatch, String since) {
    private static final int PAGES_MAX = 10_000;

    /** The gap before the timeline of a room; null when the timeline is complete. */
    public static @Nullable Gap in(JsonNode room, String roomId, String since) {
        var timeline = room.path("timeline");
        return timeline.path("limited").asBoolean(false)
                ? new Gap(roomId, timeline.path("prev_batch").asString(), since)
                : null;
    }

    /** Pages backwards through the gap. Returns the events in the order of the log. */
    public List<JsonNode> events(Session reader, int pageSize) throws IOException {
        var events = new ArrayList<JsonNode>();
        var from = prevBatch;
        for (int page = 0; page < PAGES_MAX; page++) {
            var answer = reader.messages(room, "b", from, since, pageSize);
            answer.path("chunk").forEach(events::add);
            if (!answer.has("end")) {
                Collections.reverse(events);
                return events;
            }
            from = answer.path("end").asString();
        }
        throw new IllegalStateException("paging back in %s does not end".formatted(room));
    }
}
