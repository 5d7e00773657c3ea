// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import rookery.platform.instance.Instance;

/**
 * Instances that recently refused a connection. They are tried last, so an unreachable instance costs its keys one attempt a
 * second until the instance list is updated.
 */
final class Suspects {
    private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Long> untilByAddress = new ConcurrentHashMap<>();

    /** Whether the instance was not a suspect before. */
    boolean add(Instance instance) {
        return untilByAddress.put(instance.address(), System.nanoTime() + MEMORY_NS) == null;
    }

    /** The same order, but suspects last. */
    List<Instance> last(List<Instance> ranked) {
        if (untilByAddress.isEmpty() || ranked.size() < 2) {
            return ranked;
        }
        long now = System.nanoTime();
        untilByAddress.values().removeIf(until -> until - now < 0);
        var ordered = new ArrayList<Instance>(ranked.size());
        ranked.stream().filter(instance -> !isOne(instance)).forEach(ordered::add);
        ranked.stream().filter(this::isOne).forEach(ordered::add);
        return ordered.size() == ranked.size() ? ordered : ranked; // a concurrent request may have changed the suspects
    }

    private boolean isOne(Instance instance) {
        return untilByAddress.containsKey(instance.address());
    }
}
