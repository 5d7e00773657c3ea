package rookery.sync.unread;

import java.util.Map;

/**
 * What a user has not read in a room (contract.md 11.4).
 *
 * @param threads by root, or {@link #MAIN}; only those with something unread
 */
public record Counts(Map<String, Tally> threads) {
    /** The events that are in no thread. */
    public static final String MAIN = "main";

    /** Nothing is unread. */
    public static final Counts NONE = new Counts(Map.of());

    /** How many events notify, and how many of them highlight. */
    public record Tally(int notifications, int highlights) {
        static final Tally NONE = new Tally(0, 0);

        static Tally one(boolean highlights) {
            return new Tally(1, highlights ? 1 : 0);
        }

        Tally plus(Tally other) {
            return new Tally(notifications + other.notifications, highlights + other.highlights);
        }
    }

    /** The threads are copied. */
    public Counts {
        threads = Map.copyOf(threads);
    }

    /** Of one thread. */
    public Tally of(String thread) {
        return threads.getOrDefault(thread, Tally.NONE);
    }

    /** Of the room, whatever its threads. */
    public Tally whole() {
        return threads.values().stream().reduce(Tally.NONE, Tally::plus);
    }
}
