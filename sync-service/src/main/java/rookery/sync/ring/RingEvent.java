package rookery.sync.ring;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.event.Redaction;

/** An event and its position in its room's shard. */
public record RingEvent(long pos, EventAppended event) {
    private static final int OVERHEAD_BYTES = 600; // the parsed meta and the objects around the texts
    private static final int ONE_BYTE_MAX = 0xFF;

    /** What a state event is the value of. */
    record Key(String type, String stateKey) {}

    @Nullable
    Key key() {
        var stateKey = event.meta().stateKey();
        return stateKey == null ? null : new Key(event.meta().type(), stateKey);
    }

    boolean isState() {
        return event.meta().stateKey() != null;
    }

    boolean isMember() {
        return isState() && event.meta().type().equals(EventTypes.MEMBER);
    }

    /** Whether somebody is something else to the room since: who only shows another name counts as before. */
    boolean changesMembership() {
        var change = event.meta().membershipChange();
        return change != null && change.before() != change.after();
    }

    /** Whether somebody came into the room, or went. */
    public boolean changesJoined() {
        var change = event.meta().membershipChange();
        return change != null && (change.before() == Membership.JOIN) != (change.after() == Membership.JOIN);
    }

    /** Whether it is that event, or the one that followed it as a piece of state. */
    boolean tellsOf(EventId target) {
        var meta = event.meta();
        return meta.eventId().equals(target)
                || (meta.replaces() != null && meta.replaces().eventId().equals(target));
    }

    /** The same after that event was redacted. */
    RingEvent redacted(EventId target, String redactionJson) {
        if (!tellsOf(target)) {
            return this;
        }
        boolean mine = event.meta().eventId().equals(target);
        return new RingEvent(pos, mine ? Redaction.of(event, redactionJson) : Redaction.ofPrevious(event));
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
                return 2 * text.length(); // such a text takes two bytes for each of its chars
            }
        }
        return text.length();
    }
}
