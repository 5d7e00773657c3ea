package rookery.e2e.todevice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one answer of sync told a device.
 *
 * @param since of the request; null when the device began anew
 * @param messages in their order
 * @param isKept false when the device lost the answer and behaves as if it had never come
 */
record SyncAnswer(@Nullable String since, String nextBatch, List<Message> messages, boolean isKept) {
    /** A message as a device is told it. */
    record Message(String sender, String tag) {}

    SyncAnswer {
        messages = List.copyOf(messages);
    }
}
