// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.List;
import rookery.model.id.RoomId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answer to a client's request. */
public record Answer(int status, String body) {
    public JsonNode json() {
        return JsonMapper.shared().readTree(body);
    }

    public String nextBatch() {
        return json().path("next_batch").asString();
    }

    public JsonNode joined(RoomId room) {
        return json().path("rooms").path("join").path(room.value());
    }

    /** The names of the events in a joined room's timeline, as given to {@link Events}. */
    public List<String> timeline(RoomId room) {
        return names(joined(room).path("timeline").path("events"));
    }

    public static List<String> names(JsonNode events) {
        var names = new ArrayList<String>();
        events.forEach(event -> names.add(event.path("event_id").asString().substring(1)));
        return names;
    }

    /** The content of a type of global account data; missing if absent. */
    public JsonNode data(String type) {
        for (var item : json().path("account_data").path("events")) {
            if (item.path("type").asString().equals(type)) {
                return item.path("content");
            }
        }
        return JsonMapper.shared().missingNode();
    }
}
