// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The readers to wake after changes, each once, with the highest urgency. */
public final class Wakes {
    private final Map<Urgency, Set<Waiters>> readers = new EnumMap<>(Urgency.class);

    /** The readers with news of this urgency. */
    public Collection<Waiters> of(Urgency urgency) {
        return readers.computeIfAbsent(urgency, _ -> new LinkedHashSet<>());
    }

    /** Wakes the readers; only after the changes are readable. */
    public void ring() {
        var rung = new HashSet<Waiters>();
        for (var urgency : new Urgency[] {Urgency.NOW, Urgency.SOON, Urgency.LATER}) {
            for (var waiters : readers.getOrDefault(urgency, Set.of())) {
                if (rung.add(waiters)) {
                    waiters.wake(urgency);
                }
            }
        }
    }
}
