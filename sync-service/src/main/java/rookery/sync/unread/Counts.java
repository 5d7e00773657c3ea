// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Map;

/** The unread counts of a room (contract.md 11.4), by thread root or {@link #MAIN}. */
public record Counts(Map<String, Tally> threads) {
    /** Events outside of threads. */
    public static final String MAIN = "main";

    public static final Counts NONE = new Counts(Map.of());

    /** The number of events that notify, and the number of highlights among them. */
    public record Tally(int notifications, int highlights) {
        static final Tally NONE = new Tally(0, 0);

        static Tally one(boolean highlights) {
            return new Tally(1, highlights ? 1 : 0);
        }

        Tally plus(Tally other) {
            return new Tally(notifications + other.notifications, highlights + other.highlights);
        }
    }

    public Counts {
        threads = Map.copyOf(threads);
    }

    /** The counts of one thread. */
    public Tally of(String thread) {
        return threads.getOrDefault(thread, Tally.NONE);
    }

    /** The counts of the room with all threads. */
    public Tally whole() {
        return threads.values().stream().reduce(Tally.NONE, Tally::plus);
    }
}
