package rookery.room.table;

import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.RoomLogText;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event as it stands in the log.
 *
 * @param body the body of its log entry, to be sent on as it is
 */
public record StoredEvent(long pos, String body, EventAppended event) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** From the body of a log entry of kind {@code event}. */
    public static StoredEvent of(long pos, String body) {
        if (RoomLogText.read(RoomLogRecord.EVENT, body) instanceof EventAppended event) {
            return new StoredEvent(pos, body, event);
        }
        throw new IllegalStateException("the entry at " + pos + " is no event");
    }

    /** The same entry, told otherwise. */
    public StoredEvent with(EventAppended other) {
        return new StoredEvent(pos, RoomLogText.write(other), other);
    }

    /** The whole event without its room, read. */
    public ObjectNode json() {
        return (ObjectNode) JSON.readTree(event.eventJson());
    }

    public ObjectNode content() {
        return (ObjectNode) json().get("content");
    }

    /** What its visibility hangs on. */
    public VisibilityFacts seen() {
        var meta = event.meta();
        return new VisibilityFacts(
                pos,
                meta.room().visibility(),
                meta.room().visibilityBefore(),
                meta.membership() == null ? null : meta.stateKey());
    }

    /** Of a piece of state. */
    public StateValue toStateValue() {
        var meta = event.meta();
        return new StateValue(meta.eventId(), pos, meta.sender(), meta.room().visibility(), content());
    }
}
