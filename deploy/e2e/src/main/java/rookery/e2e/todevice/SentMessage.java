package rookery.e2e.todevice;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request to send a message, with its repetitions, as its sender knows it. Moments are of {@link System#nanoTime}.
 *
 * @param sender the user, as sync names it
 * @param device the sender's device, with its user: one device sends one message after another
 * @param tag stands in the message, and in no other one
 * @param targets devices with their users
 * @param begunNanos when it was tried first
 * @param acceptedNanos when a success was there; null when there was none
 */
record SentMessage(
        String sender,
        String device,
        String tag,
        Set<String> targets,
        long begunNanos,
        @Nullable Long acceptedNanos) {
    SentMessage {
        targets = Set.copyOf(targets);
    }

    boolean isAccepted() {
        return acceptedNanos != null;
    }

    /** Whether its success was there before the other one was tried. */
    boolean isBefore(SentMessage later) {
        return acceptedNanos != null && acceptedNanos - later.begunNanos < 0;
    }
}
