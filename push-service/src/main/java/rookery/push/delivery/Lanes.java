// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;
import rookery.platform.ratelimit.Pace;

/**
 * Limits concurrent requests to gateways. A lane is one tenant's pushes to one gateway; a place is the permission for one
 * request. A hanging gateway occupies its places until the request timeout, hence
 * <ul>
 *   <li>an unproven lane, whose gateway is new or whose last answers were failures, has one request at a time;
 *   <li>all unproven lanes together have at most half of all places, and so has each tenant.
 * </ul>
 * A failed gateway thus occupies one place, and any number of them at most half. Recovery needs no timer: the next
 * successful request opens the lane. A tenant that has reached its {@link Pace} gets no place for a moment.
 */
final class Lanes {
    private static final int FAILURES_MAX = 3;
    private static final int REMEMBERED_MAX = 10_000;

    private final int placesOfLane;
    private final int places;
    private final Pace pace;
    private final Map<Lane, LaneState> states = new HashMap<>();
    private final Map<TenantId, Integer> ofTenant = new HashMap<>();
    private int taken;
    private int takenByUnproven;

    Lanes(int places, int placesOfLane, Pace pace) {
        this.places = places;
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

    /** A taken place. Each must be given back. */
    record Place(Lane lane, boolean wasProven) {}

    /** Takes places for the lanes in turn, one per lane and round, until none is free. All places must be given back. */
    synchronized Map<Lane, List<Place>> take(List<Lane> lanes, int mostOfLane) {
        var granted = new LinkedHashMap<Lane, List<Place>>();
        var hopeful = new ArrayList<>(lanes);
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
        release(place);
    }

    private void release(Place place) {
        var state = state(place.lane);
        state.inFlight--;
        taken--;
        if (!place.wasProven) {
            takenByUnproven--;
        }
        ofTenant.computeIfPresent(place.lane.tenant(), (_, count) -> count == 1 ? null : count - 1);
        if (states.size() > REMEMBERED_MAX) {
            states.values().removeIf(other -> other.inFlight == 0);
        }
    }

    /** Gives back a place after an attempt. */
    synchronized void ended(Place place, boolean succeeded) {
        var state = state(place.lane);
        state.failures = succeeded ? 0 : state.failures + 1;
        release(place);
    }

    private boolean mayTake(Lane lane) {
        var state = state(lane);
        boolean mayMore =
                state.isProven() ? state.inFlight < placesOfLane : state.inFlight == 0 && takenByUnproven < places / 2;
        return mayMore
                && taken < places
                && ofTenant.getOrDefault(lane.tenant(), 0) < places / 2
                && pace.allows(lane.tenant());
    }

    private Place taken(Lane lane) {
        var state = state(lane);
        var place = new Place(lane, state.isProven());
        state.inFlight++;
        taken++;
        if (!place.wasProven) {
            takenByUnproven++;
        }
        ofTenant.merge(lane.tenant(), 1, Integer::sum);
        pace.taken(lane.tenant());
        return place;
    }

    private LaneState state(Lane lane) {
        return states.computeIfAbsent(lane, _ -> new LaneState());
    }
}
