// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import rookery.e2e.running.JvmMemory;
import rookery.e2e.running.Rookery;

/** The used memory of each service's JVM after a garbage collection, by process id. */
record Memory(Map<Long, JvmMemory> byPid) {
    /** Collects garbage in every JVM, then measures. */
    static Memory of(Rookery rookery) throws IOException {
        var byPid = new TreeMap<Long, JvmMemory>();
        for (var instance : rookery.instances()) {
            if (instance.management() != null && !byPid.containsKey(instance.pid())) {
                byPid.put(instance.pid(), JvmMemory.of(instance));
            }
        }
        return new Memory(byPid);
    }

    /**
     * Whether no JVM uses more than a tenth above the earlier value.
     *
     * @param slack further bytes, for the growth of caches
     */
    boolean isLike(Memory before, long slack) {
        return byPid.entrySet().stream().allMatch(each -> {
            var earlier = before.byPid.getOrDefault(each.getKey(), JvmMemory.NONE);
            return each.getValue().heapBytes() <= earlier.heapBytes() * 1.1 + slack
                    && each.getValue().directBytes() <= earlier.directBytes() * 1.1 + slack;
        });
    }

    @Override
    public String toString() {
        var text = new StringBuilder("heap + direct");
        byPid.forEach((pid, memory) -> text.append(String.format(
                Locale.ROOT, " %d: %.1f + %.1f MB", pid, memory.heapBytes() / 1e6, memory.directBytes() / 1e6)));
        return text.toString();
    }
}
