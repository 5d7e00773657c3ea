package rookery.e2e.checking;

import org.jspecify.annotations.Nullable;

/**
 * One event as a client was told it, in a timeline or in the gap of a limited one.
 *
 * @param tag of the message, or null when it is none of ours
 * @param atNanos when, by {@link System#nanoTime}
 */
public record ReceivedEvent(
        String client,
        String room,
        String eventId,
        @Nullable String tag,
        long atNanos) {}
