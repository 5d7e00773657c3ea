// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.model.topic.LogRecord;
import rookery.platform.log.follow.Stretch;

/** Delays entries until their unit is complete: the entries of a request become visible together. */
final class Units {
    private final Map<Integer, List<LogRecord>> open = new HashMap<>();

    /** The entries completed by the stretch, in order. */
    List<LogRecord> settled(Stretch stretch) {
        var waiting = open.computeIfAbsent(stretch.shard(), _ -> new ArrayList<>());
        waiting.addAll(stretch.entries());
        var settled = waiting.stream()
                .takeWhile(entry -> entry.pos() <= stretch.settledTo())
                .toList();
        waiting.subList(0, settled.size()).clear();
        return settled;
    }

    void clear() {
        open.clear();
    }
}
