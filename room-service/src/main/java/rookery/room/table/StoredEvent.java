// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.util.Collection;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event of the log.
 *
 * @param body the body of the log entry, which is forwarded unchanged
 */
public record StoredEvent(long pos, String body, EventAppended event) {
    /**
     * SQL for the body of {@code l} without the event's JSON, for reads that need only the facts about visibility. The facts are
     * the first line, nearly always within the first 2,000 characters, so PostgreSQL does not read large bodies whole.
     */
    public static final String FACTS_SQL = """
            (split_part(CASE WHEN strpos(left(l.body, 2000), chr(10)) > 0 THEN left(l.body, 2000) ELSE l.body END, chr(10), 1)
                       || chr(10) || '{}' || chr(10) || chr(10))""";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Parses the body of a log entry of kind {@code event}. */
    public static StoredEvent of(long pos, String body) {
        if (RoomLogText.read(RoomLogRecord.EVENT, body) instanceof EventAppended event) {
            return new StoredEvent(pos, body, event);
        }
        throw new IllegalStateException("the entry at " + pos + " is no event");
    }

    /** The length of all bodies together, in characters. */
    public static long length(Collection<StoredEvent> events) {
        return events.stream().mapToLong(event -> event.body.length()).sum();
    }

    public StoredEvent with(EventAppended other) {
        return new StoredEvent(pos, RoomLogText.write(other), other);
    }

    /** The parsed event without its room id. */
    public ObjectNode json() {
        return (ObjectNode) JSON.readTree(event.eventJson());
    }

    public ObjectNode content() {
        return (ObjectNode) json().get("content");
    }

    /** The facts that decide about the event's visibility. */
    public VisibilityFacts seen() {
        var meta = event.meta();
        return new VisibilityFacts(
                pos,
                meta.room().visibility(),
                meta.room().visibilityBefore(),
                meta.membership() == null ? null : meta.stateKey());
    }

    public StateValue toStateValue() {
        var meta = event.meta();
        return new StateValue(meta.eventId(), pos, meta.sender(), meta.room().visibility(), content());
    }
}
