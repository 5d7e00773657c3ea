// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to send a message, with its repetitions. Times are of {@link System#nanoTime}.
 *
 * @param sender the user id
 * @param device the sender's user id and device id; a device sends its messages one after the other
 * @param tag a unique text in the message
 * @param targets user ids and device ids of the receivers
 * @param begunNanos the time of the first attempt
 * @param acceptedNanos the time of the success; null without one
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

    /** Whether this message was accepted before the first attempt of the other. */
    boolean isBefore(SentMessage later) {
        return acceptedNanos != null && acceptedNanos - later.begunNanos < 0;
    }
}
