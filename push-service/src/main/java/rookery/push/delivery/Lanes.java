package rookery.push.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.model.id.TenantId;

/**
 * Who may send how much at once. A gateway that hangs holds what it was given for as long as a request may take, so
 * <ul>
 *   <li>a lane whose gateway has not just shown that it works, because it is new or its last answers were failures, has one
 *       request at a time;
 *   <li>all such lanes together have half of what there is, and so has any one tenant.
 * </ul>
 * A dead gateway thus takes one place from the others, and any number of them half of the places. It needs no timer to be found
 * alive again: the next request that succeeds opens its lane.
 */
final class Lanes {
    private static final int FAILURES_MAX = 3;
    private static final int REMEMBERED_MAX = 10_000;

    private final int placesOfLane;
    private final int places;
    private final Map<Lane, LaneState> states = new HashMap<>();
    private final Map<TenantId, Integer> ofTenant = new HashMap<>();
    private int taken;
    private int takenByUnproven;

    Lanes(int places, int placesOfLane) {
        this.places = places;
        this.placesOfLane = placesOfLane;
    }

    private static final class LaneState {
        private int inFlight;
        private int failures = FAILURES_MAX;

        private boolean isProven() {
            return failures < FAILURES_MAX;
        }
    }

    /** A place that was taken, and must be given back. */
    record Place(Lane lane, boolean wasProven) {}

    /** Takes a place for each of the lanes in turn, until there are none. The places must all be given back. */
    synchronized Map<Lane, List<Place>> take(List<Lane> wanted, int mostOfLane) {
        var granted = new LinkedHashMap<Lane, List<Place>>();
        var hopeful = new ArrayList<>(wanted);
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

    /** Gives back a place that was not used after all. */
    synchronized void giveBack(Place place) {
        var state = state(place.lane);
        state.inFlight--;
        taken--;
        if (!place.wasProven) {
            takenByUnproven--;
        }
        ofTenant.computeIfPresent(place.lane.tenant(), (_, count) -> count == 1 ? null : count - 1);
        if (states.size() > REMEMBERED_MAX) {
            states.values().removeIf(it -> it.inFlight == 0);
        }
    }

    /** Gives back a place after an attempt. */
    synchronized void ended(Place place, boolean succeeded) {
        var state = state(place.lane);
        state.failures = succeeded ? 0 : state.failures + 1;
        giveBack(place);
    }

    private boolean mayTake(Lane lane) {
        var state = state(lane);
        boolean mayMore =
                state.isProven() ? state.inFlight < placesOfLane : state.inFlight == 0 && takenByUnproven < places / 2;
        return mayMore && taken < places && ofTenant.getOrDefault(lane.tenant(), 0) < places / 2;
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
        return place;
    }

    private LaneState state(Lane lane) {
        return states.computeIfAbsent(lane, _ -> new LaneState());
    }
}
