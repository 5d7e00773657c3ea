// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The due time from which a claim reads a lane. Sent units stay in the index of due units until the table is vacuumed, and a claim
 * from the beginning passes a minute of them, 60,000 for a thousand units a second.
 */
final class LaneStarts {
    /** Longer than an insertion lasts and than clocks of instances differ: units before it are found from the beginning. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private static final Duration FROM_THE_BEGINNING = Duration.ofSeconds(10);
    private static final int REMEMBERED_MAX = 10_000;

    private final Map<Lane, Start> starts = new ConcurrentHashMap<>();

    /** @param until the time of the next claim from the beginning */
    private record Start(Instant from, Instant until) {}

    /** The due time of the first units to read; the epoch for the beginning of the lane. */
    Instant of(Lane lane, Instant now) {
        var start = starts.get(lane);
        if (start != null && now.isBefore(start.until)) {
            return start.from;
        }
        if (starts.size() >= REMEMBERED_MAX) {
            starts.clear();
        }
        starts.put(lane, new Start(Instant.EPOCH, now.plus(FROM_THE_BEGINNING)));
        return Instant.EPOCH;
    }

    /** Notes the result of a claim: the units with the earliest due times. A lane without units is read from the beginning next. */
    void claimed(Collection<Lane> lanes, List<DueUnit> units) {
        var oldest = units.stream()
                .collect(Collectors.toMap(
                        DueUnit::lane, DueUnit::due, (one, other) -> one.isBefore(other) ? one : other));
        for (var lane : lanes) {
            var due = oldest.get(lane);
            starts.computeIfPresent(lane, (_, start) -> due == null ? null : new Start(due.minus(LATE), start.until));
        }
    }
}
