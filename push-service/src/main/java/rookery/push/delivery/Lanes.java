// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;
import rookery.platform.ratelimit.Pace;

/**
 * Limits concurrent requests to gateways. A lane is one tenant's pushes to one gateway; a place is the permission for one
 * request. A hanging gateway occupies its places until the request timeout, hence
 * <ul>
 *   <li>an unproven lane, whose gateway is new or whose last answers were failures, has one request at a time;
 *   <li>all unproven lanes together have at most half of all places, and so has each tenant;
 *   <li>the unproven lanes of one tenant have at most half of the places of unproven lanes.
 * </ul>
 * A failed gateway thus occupies one place, and any number of them at most half, or a quarter if they are of one tenant. Places that
 * become free go to tenants and lanes in turn ({@link LaneTurns}). Recovery needs no timer: the next successful request opens the
 * lane. A tenant that has reached its {@link Pace} gets no place for a moment.
 */
final class Lanes {
    private static final int FAILURES_MAX = 3;
    /** The remembered lanes of a tenant. Beyond them, the lane whose last request is the oldest becomes unproven. */
    private static final int PROVEN_MAX = 1_000;

    private static final LaneState UNKNOWN = new LaneState();

    private final int placesOfLane;
    private final int places;
    private final int placesOfUnproven;
    private final int unprovenOfTenant;
    private final Pace pace;
    private final Map<TenantId, TenantState> tenants = new HashMap<>();
    private final LaneTurns provenTurns = new LaneTurns();
    private final LaneTurns unprovenTurns = new LaneTurns();
    private boolean lastWasProven = true;
    private int taken;
    private int takenByUnproven;

    Lanes(int places, int placesOfLane, Pace pace) {
        this.places = places;
        this.placesOfUnproven = places / 2;
        this.unprovenOfTenant = Math.max(1, placesOfUnproven / 2);
        this.pace = pace;
        this.placesOfLane = placesOfLane;
    }

    private static final class LaneState {
        private int inFlight;
        private int failures = FAILURES_MAX;

        private boolean isProven() {
            return failures < FAILURES_MAX;
        }
    }

    private static final class TenantState {
        /** The proven lanes and those with requests, by gateway: the lanes without requests in the order of their last requests. */
        private final Map<String, LaneState> lanes = new LinkedHashMap<>();

        private int taken;
        private int takenByUnproven;

        private LaneState lane(String gateway) {
            return lanes.getOrDefault(gateway, UNKNOWN);
        }

        /** An unproven lane is like an unknown one. No tenant makes the lanes of others forgotten. */
        private void rest(String gateway) {
            var state = lanes.remove(gateway);
            if (state != null && state.isProven()) {
                lanes.put(gateway, state);
                if (lanes.size() > PROVEN_MAX) {
                    forgetOldest();
                }
            }
        }

        private void forgetOldest() {
            var states = lanes.values().iterator();
            while (states.hasNext()) {
                if (states.next().inFlight == 0) {
                    states.remove();
                    return;
                }
            }
        }
    }

    /** A taken place. Each must be given back. */
    record Place(Lane lane, boolean wasProven) {}

    /** Takes places for the lanes in turn, one per lane and round, until none is free. All places must be given back. */
    synchronized Map<Lane, List<Place>> take(List<Lane> lanes, int mostOfLane) {
        var granted = new LinkedHashMap<Lane, List<Place>>();
        var hopeful = inTurn(lanes);
        for (int turn = 0; turn < mostOfLane && !hopeful.isEmpty(); turn++) {
            hopeful.removeIf(lane -> !mayTake(lane));
            for (var lane : hopeful) {
                if (mayTake(lane)) {
                    granted.computeIfAbsent(lane, _ -> new ArrayList<>()).add(taken(lane));
                }
            }
        }
        return granted;
    }

    /** Proven and unproven lanes have turns of their own, so that the many places of the former say nothing about the latter. */
    private List<Lane> inTurn(List<Lane> lanes) {
        var byProof = lanes.stream()
                .filter(this::mayTake)
                .collect(Collectors.partitioningBy(lane -> state(lane).isProven()));
        var proven = provenTurns.order(byProof.getOrDefault(true, List.of()));
        var unproven = unprovenTurns.order(byProof.getOrDefault(false, List.of()));
        var inTurn = new ArrayList<>(lastWasProven ? unproven : proven);
        inTurn.addAll(lastWasProven ? proven : unproven);
        return inTurn;
    }

    /** Whether one of the lanes waits for its tenant's {@link Pace}, so that a look after a moment finds work. */
    synchronized boolean anyWaitsForPace(List<Lane> lanes) {
        return lanes.stream().anyMatch(lane -> waitsForPace(lane.tenant()));
    }

    /** Whether the tenant has reached its {@link Pace}. */
    boolean waitsForPace(TenantId tenant) {
        return !pace.allows(tenant);
    }

    /** The pace of a tenant; null for none. */
    @Nullable
    Long perSecond(TenantId tenant) {
        return pace.perSecond(tenant);
    }

    /** Gives back a place without a request. */
    synchronized void giveBack(Place place) {
        pace.givenBack(place.lane.tenant());
        release(place, state(place.lane));
    }

    private void release(Place place, LaneState state) {
        var tenant = tenant(place.lane);
        state.inFlight--;
        taken--;
        tenant.taken--;
        if (!place.wasProven) {
            takenByUnproven--;
            tenant.takenByUnproven--;
        }
        if (state.inFlight == 0) {
            tenant.rest(place.lane.gateway());
        }
    }

    /** Gives back a place after an attempt. */
    synchronized void ended(Place place, boolean succeeded) {
        var state = state(place.lane);
        state.failures = succeeded ? 0 : state.failures + 1;
        release(place, state);
    }

    private boolean mayTake(Lane lane) {
        var tenant = tenant(lane);
        var state = tenant.lane(lane.gateway());
        boolean mayMore = state.isProven()
                ? state.inFlight < placesOfLane
                : state.inFlight == 0
                        && takenByUnproven < placesOfUnproven
                        && tenant.takenByUnproven < unprovenOfTenant;
        return mayMore && taken < places && tenant.taken < places / 2 && pace.allows(lane.tenant());
    }

    private Place taken(Lane lane) {
        var tenant = tenant(lane);
        var state = tenant.lanes.computeIfAbsent(lane.gateway(), _ -> new LaneState());
        var place = new Place(lane, state.isProven());
        state.inFlight++;
        taken++;
        tenant.taken++;
        if (!place.wasProven) {
            takenByUnproven++;
            tenant.takenByUnproven++;
        }
        (place.wasProven ? provenTurns : unprovenTurns).taken(lane);
        lastWasProven = place.wasProven;
        pace.taken(lane.tenant());
        return place;
    }

    /** The state of a lane, not to be changed unless the lane has a place. */
    private LaneState state(Lane lane) {
        return tenant(lane).lane(lane.gateway());
    }

    private TenantState tenant(Lane lane) {
        return tenants.computeIfAbsent(lane.tenant(), _ -> new TenantState());
    }
}
