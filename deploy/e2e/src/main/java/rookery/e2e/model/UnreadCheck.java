// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.e2e.model.Unread.Range;
import tools.jackson.databind.JsonNode;

/** Compares the counts of a joined room in a response with the model. */
final class UnreadCheck {
    private UnreadCheck() {}

    /**
     * Returns a description of the difference, or null.
     *
     * @param room the room's section in the response
     * @param byThread whether the filter requested counts by thread
     */
    static @Nullable String wrong(Map<String, Range> expected, JsonNode room, boolean byThread) {
        var counts = room.path("unread_notifications");
        int count = counts.path("notification_count").asInt(-1);
        var range = byThread
                ? expected.getOrDefault(Unread.MAIN, Range.NONE)
                : expected.values().stream().reduce(Range.NONE, Range::plus);
        if (!range.has(count) || counts.path("highlight_count").asInt(-1) != 0) {
            return "%s are unread, told is %s".formatted(range, counts);
        }
        var threads = room.path("unread_thread_notifications");
        return byThread ? wrong(expected, threads) : threads.isEmpty() ? null : "tells of threads: " + threads;
    }

    /** A thread must be present exactly when it has unread events. */
    private static @Nullable String wrong(Map<String, Range> expected, JsonNode threads) {
        var ranges = new HashMap<>(expected);
        ranges.remove(Unread.MAIN);
        threads.properties().forEach(thread -> ranges.putIfAbsent(thread.getKey(), Range.NONE));
        for (var thread : ranges.entrySet()) {
            var counts = threads.path(thread.getKey());
            int count = counts.path("notification_count").asInt(0);
            boolean isIdle = !counts.isMissingNode() && count == 0;
            if (!thread.getValue().has(count)
                    || isIdle
                    || counts.path("highlight_count").asInt(0) != 0) {
                return "%s are unread in the thread %s, told is %s"
                        .formatted(thread.getValue(), thread.getKey(), threads);
            }
        }
        return null;
    }
}
