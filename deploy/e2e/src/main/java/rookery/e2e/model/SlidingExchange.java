// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request of sliding sync whose answer the client has processed.
 *
 * @param chain the connection
 * @param since the {@code pos} of the request; null for the first
 * @param timelineLimit of the list; a subscribed room has the larger one
 * @param isEnd whether the request comes after the last action, and asks for all rooms
 */
record SlidingExchange(
        Person person,
        String chain,
        int node,
        @Nullable String since,
        int windowLast,
        int timelineLimit,
        Set<String> subscriptions,
        int subscriptionLimit,
        boolean isLazy,
        boolean isEnd,
        JsonNode answer) {
    String pos() {
        return answer.path("pos").asString("");
    }

    int limit(String room, JsonNode result) {
        boolean isInList = !result.path("lists").isEmpty();
        int ofList = isInList ? timelineLimit : 0;
        return subscriptions.contains(room) ? Math.max(ofList, subscriptionLimit) : ofList;
    }

    @Override
    public String toString() {
        return "%s at node %d, window %d, limit %d".formatted(chain, node, windowLast, timelineLimit);
    }
}
