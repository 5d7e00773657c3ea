// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Activity;
import rookery.model.event.EventTypes;
import rookery.model.topic.EventMeta;

/**
 * By what a room is sorted and filtered in the lists of sliding sync: the room's events on this node, and all earlier ones as
 * room-service has read them. All values only grow, so the order of the two does not matter.
 */
public final class RoomActivity {
    private long lastMs;
    private long bumpMs;
    private boolean isEncrypted;
    private @Nullable LastActivity earlier;

    /**
     * The activity up to a moment.
     *
     * @param lastMs the time of the last event
     * @param bumpMs the time of the last event by which clients sort rooms
     * @param type the room's type in the create event
     * @param isEncrypted whether the room has ever been encrypted
     * @param inviter the sender of the user's invitation; null for other memberships
     */
    public record LastActivity(
            long lastMs,
            long bumpMs,
            @Nullable String type,
            boolean isEncrypted,
            @Nullable String inviter) {}

    synchronized void add(EventMeta meta) {
        lastMs = Math.max(lastMs, meta.ts());
        if (Activity.TYPES.contains(meta.type())) {
            bumpMs = Math.max(bumpMs, meta.ts());
        }
        isEncrypted |= meta.type().equals(EventTypes.ENCRYPTION) && "".equals(meta.stateKey());
    }

    /** Takes the activity that room-service has read. */
    public synchronized void learn(LastActivity read) {
        lastMs = Math.max(lastMs, read.lastMs);
        bumpMs = Math.max(bumpMs, read.bumpMs);
        isEncrypted |= read.isEncrypted;
        earlier = read;
    }

    /** Null before {@link #learn}. */
    public synchronized @Nullable LastActivity seen() {
        var read = earlier;
        if (read == null) {
            return null;
        }
        if (read.lastMs != lastMs || read.bumpMs != bumpMs || read.isEncrypted != isEncrypted) {
            earlier = new LastActivity(lastMs, bumpMs, read.type, isEncrypted, null);
        }
        return earlier;
    }
}
