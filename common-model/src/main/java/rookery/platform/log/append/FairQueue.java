// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The waiting drafts of one shard, taken in turn between tenants, and between the lanes (rooms or users) of a tenant, so that a
 * flood from one does not delay the others. Drafts of one lane stay in order. Not thread-safe.
 */
final class FairQueue<T> {
    private final Map<Integer, Map<String, ArrayDeque<T>>> tenants = new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    /** The number of waiting drafts of a tenant. */
    int size(int tenant) {
        return tenants.getOrDefault(tenant, Map.of()).values().stream()
                .mapToInt(ArrayDeque::size)
                .sum();
    }

    void add(int tenant, String lane, T item) {
        tenants.computeIfAbsent(tenant, _ -> new LinkedHashMap<>())
                .computeIfAbsent(lane, _ -> new ArrayDeque<>())
                .add(item);
        size++;
    }

    List<T> take(int most) {
        var taken = new ArrayList<T>(Math.min(most, size));
        while (taken.size() < most && size > 0) {
            taken.add(next());
        }
        return taken;
    }

    private T next() {
        var tenant = tenants.entrySet().iterator().next();
        var lanes = tenant.getValue();
        var lane = lanes.entrySet().iterator().next();
        T item = lane.getValue().remove();
        size--;
        // the served lane and tenant go to the end of their lines
        lanes.remove(lane.getKey());
        if (!lane.getValue().isEmpty()) {
            lanes.put(lane.getKey(), lane.getValue());
        }
        tenants.remove(tenant.getKey());
        if (!lanes.isEmpty()) {
            tenants.put(tenant.getKey(), lanes);
        }
        return item;
    }
}
