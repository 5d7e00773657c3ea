// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.event.Redaction;

/** An event and its position in the room's shard. */
public record RingEvent(long pos, EventAppended event) {
    private static final int OVERHEAD_BYTES = 600; // the parsed meta and the objects around the texts
    private static final int ONE_BYTE_MAX = 0xFF;

    /** The key of a state event. */
    record StateKey(String type, String stateKey) {}

    public EventMeta meta() {
        return event.meta();
    }

    @Nullable
    StateKey key() {
        var stateKey = event.meta().stateKey();
        return stateKey == null ? null : new StateKey(event.meta().type(), stateKey);
    }

    boolean isState() {
        return event.meta().stateKey() != null;
    }

    boolean isMember() {
        return isState() && event.meta().type().equals(EventTypes.MEMBER);
    }

    /** Whether the event is a member event about the user. */
    public boolean isMemberEventOf(String user) {
        return isMember() && user.equals(event.meta().stateKey());
    }

    /** Whether the event changes a membership; a new display name does not. */
    boolean changesMembership() {
        var change = event.meta().membershipChange();
        return change != null && change.before() != change.after();
    }

    /** Whether the event is a join, or the end of a joined membership. */
    public boolean changesJoined() {
        var change = event.meta().membershipChange();
        return change != null && (change.before() == Membership.JOIN) != (change.after() == Membership.JOIN);
    }

    /** Whether the event is the target, or has the target's content as its previous content. */
    boolean concerns(EventId target) {
        var meta = event.meta();
        return meta.eventId().equals(target)
                || (meta.replaces() != null && meta.replaces().eventId().equals(target));
    }

    /** The event after the redaction of the target. */
    RingEvent redacted(EventId target, String redactionJson) {
        if (!concerns(target)) {
            return this;
        }
        boolean isTarget = event.meta().eventId().equals(target);
        return new RingEvent(pos, isTarget ? Redaction.of(event, redactionJson) : Redaction.ofPrevious(event));
    }

    int bytes() {
        return OVERHEAD_BYTES
                + length(event.eventJson())
                + length(event.prevContentJson())
                + length(event.strippedStateJson())
                + length(event.redactedBecauseJson());
    }

    private static int length(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > ONE_BYTE_MAX) {
                return 2 * text.length(); // UTF-16 for texts beyond Latin-1
            }
        }
        return text.length();
    }
}
