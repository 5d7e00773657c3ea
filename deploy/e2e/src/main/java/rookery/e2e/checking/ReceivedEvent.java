// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import org.jspecify.annotations.Nullable;

/**
 * An event that a client received in a timeline or in the gap of a limited timeline.
 *
 * @param tag of the message; null for events without a tag
 * @param atNanos the time of receipt, by {@link System#nanoTime}
 */
public record ReceivedEvent(
        String client,
        String room,
        String eventId,
        @Nullable String tag,
        long atNanos) {}
