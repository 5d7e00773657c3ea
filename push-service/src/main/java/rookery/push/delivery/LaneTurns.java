// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.model.id.TenantId;

/**
 * The order in which lanes get places: tenants in turn, and the lanes of each tenant in turn. Due lanes come in a fixed order, and
 * without turns the first of them would get each place that becomes free.
 */
final class LaneTurns {
    private static final int REMEMBERED_MAX = 10_000;

    /** The last turns, numbered in their order. */
    private final Map<TenantId, Long> ofTenants = new HashMap<>();

    private final Map<Lane, Long> ofLanes = new HashMap<>();
    private long turns;

    /** The next lane of each tenant, then the second next of each, and so on. The tenant whose last turn is the oldest begins. */
    List<Lane> order(List<Lane> lanes) {
        var byTenant = new LinkedHashMap<TenantId, List<Lane>>();
        lanes.stream()
                .sorted(Comparator.comparingLong(this::lastTurn))
                .forEach(lane -> byTenant.computeIfAbsent(lane.tenant(), _ -> new ArrayList<>())
                        .add(lane));
        var tenants = new ArrayList<>(byTenant.keySet());
        tenants.sort(Comparator.comparingLong(this::lastTurn));
        var order = new ArrayList<Lane>();
        for (int i = 0; order.size() < lanes.size(); i++) {
            for (var tenant : tenants) {
                var ofTenant = byTenant.getOrDefault(tenant, List.of());
                if (i < ofTenant.size()) {
                    order.add(ofTenant.get(i));
                }
            }
        }
        return order;
    }

    /** Notes that the lane has got a place. */
    void taken(Lane lane) {
        if (ofLanes.size() >= REMEMBERED_MAX) {
            ofLanes.clear(); // all lanes are equal for a moment
        }
        turns++;
        ofTenants.put(lane.tenant(), turns);
        ofLanes.put(lane, turns);
    }

    private long lastTurn(TenantId tenant) {
        return ofTenants.getOrDefault(tenant, 0L);
    }

    private long lastTurn(Lane lane) {
        return ofLanes.getOrDefault(lane, 0L);
    }
}
