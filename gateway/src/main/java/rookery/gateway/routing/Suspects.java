package rookery.gateway.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import rookery.platform.instance.Instance;

/**
 * Instances that did not take a connection a moment ago. They are asked last, so that one that is gone, or cut off, costs its
 * keys one attempt a second until the list of instances has learned it.
 */
final class Suspects {
    private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Long> untilByAddress = new ConcurrentHashMap<>();

    /** Whether that is news. */
    boolean add(Instance instance) {
        return untilByAddress.put(instance.address(), System.nanoTime() + MEMORY_NS) == null;
    }

    /** The same instances in the same order, suspects last. */
    List<Instance> last(List<Instance> ranked) {
        if (untilByAddress.isEmpty() || ranked.size() < 2) {
            return ranked;
        }
        long now = System.nanoTime();
        untilByAddress.values().removeIf(until -> until - now < 0);
        var ordered = new ArrayList<Instance>(ranked.size());
        ranked.stream().filter(instance -> !isOne(instance)).forEach(ordered::add);
        ranked.stream().filter(this::isOne).forEach(ordered::add);
        return ordered.size() == ranked.size() ? ordered : ranked; // another request may have changed it in between
    }

    private boolean isOne(Instance instance) {
        return untilByAddress.containsKey(instance.address());
    }
}
