// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The to-device messages of a sync response.
 *
 * @param since of the request; null for an initial sync
 * @param messages in their order
 * @param isKept false when the device discards the response as if it were lost
 */
record SyncAnswer(@Nullable String since, String nextBatch, List<Message> messages, boolean isKept) {
    /** A received message. */
    record Message(String sender, String tag) {}

    SyncAnswer {
        messages = List.copyOf(messages);
    }
}
