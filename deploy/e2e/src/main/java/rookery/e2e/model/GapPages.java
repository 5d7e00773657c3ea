// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The events of a limited timeline's gap, found by paging back.
 *
 * @param to the token at which paging ended; null for the beginning of the room
 * @param events oldest first
 */
record GapPages(
        Person person,
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
