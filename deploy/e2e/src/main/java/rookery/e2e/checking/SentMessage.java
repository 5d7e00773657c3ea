package rookery.e2e.checking;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One message as its sender knows it.
 *
 * @param tag stands in the message, and in no other one
 * @param replies to the request and its repetitions with the same transaction id, in the order in which they came
 */
public record SentMessage(String client, String room, String txnId, String tag, List<Reply> replies) {
    /**
     * One reply.
     *
     * @param eventId null when the request failed, or nobody knows what became of it
     * @param atNanos when it was there, by {@link System#nanoTime}
     */
    public record Reply(@Nullable String eventId, long atNanos) {}

    public SentMessage {
        replies = List.copyOf(replies);
    }

    /** The event ids that were answered; of a server that keeps its promises, one at most. */
    List<String> eventIds() {
        return successes()
                .map(reply -> Objects.requireNonNull(reply.eventId()))
                .distinct()
                .toList();
    }

    boolean isAcknowledged() {
        return successes().findAny().isPresent();
    }

    /** When its sender knew that it was accepted. */
    long acknowledgedAtNanos() {
        return successes().findFirst().orElseThrow().atNanos();
    }

    private Stream<Reply> successes() {
        return replies.stream().filter(reply -> reply.eventId() != null);
    }
}
