// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A list for administrators, read from the lines that admin-service gets. */
record AdminList(long total, List<JsonNode> items, @Nullable String next) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** @param body the request, in which {@code AFTER} is the key to continue after */
    static AdminList page(RoomServer server, String path, String body, String after) {
        var lines = server.raw(path, body.replace("AFTER", after))
                .lines()
                .map(JSON::readTree)
                .toList();
        return new AdminList(
                lines.getFirst().path("total").longValue(),
                lines.subList(1, lines.size() - 1),
                lines.getLast().path("next").stringValue(null));
    }

    /** The items of all pages. */
    static List<JsonNode> pages(RoomServer server, String path, String body) {
        var items = new ArrayList<JsonNode>();
        String after = "";
        while (after != null) {
            var page = page(server, path, body, after);
            items.addAll(page.items);
            after = page.next;
        }
        return items;
    }
}
