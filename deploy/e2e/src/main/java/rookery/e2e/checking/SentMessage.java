// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message with the replies to its sender.
 *
 * @param tag a unique text in the message
 * @param replies to the request and its repetitions with the same transaction id, in the order of arrival
 */
public record SentMessage(String client, String room, String txnId, String tag, List<Reply> replies) {
    /**
     * One reply.
     *
     * @param eventId null when the request failed or its result is unknown
     * @param atNanos the time of arrival, by {@link System#nanoTime}
     */
    public record Reply(@Nullable String eventId, long atNanos) {}

    public SentMessage {
        replies = List.copyOf(replies);
    }

    /** The distinct event ids of the replies; at most one when the promises are kept. */
    List<String> eventIds() {
        return successes()
                .map(reply -> Objects.requireNonNull(reply.eventId()))
                .distinct()
                .toList();
    }

    boolean isAcknowledged() {
        return successes().findAny().isPresent();
    }

    /** The time of the first successful reply. */
    long acknowledgedAtNanos() {
        return successes().findFirst().orElseThrow().atNanos();
    }

    private Stream<Reply> successes() {
        return replies.stream().filter(reply -> reply.eventId() != null);
    }
}
