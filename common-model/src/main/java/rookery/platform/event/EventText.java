package rookery.platform.event;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Makes of a stored event the text that one client gets: the stored text is copied, never read, and what depends on the reader
 * is added behind it (contract.md 9.1).
 */
public final class EventText {
    private EventText() {}

    /**
     * Who reads, and what that makes of the event.
     *
     * @param membership the reader's membership at the event, after it
     * @param sawPrevious whether the state event that this one replaced is visible to the reader
     * @param isPending whether this is the reader's invitation or knock, and nobody has answered it: afterwards it does not show what
     *     the room was like by then, of which something may have been redacted since
     */
    public record Reader(
            UserId user, @Nullable DeviceId device, Membership membership, boolean sawPrevious, boolean isPending) {
        /** Of anything else. */
        public Reader(UserId user, @Nullable DeviceId device, Membership membership, boolean sawPrevious) {
            this(user, device, membership, sawPrevious, false);
        }
    }

    /** The same without anything bundled. */
    public static String render(EventAppended event, @Nullable RoomId room, Reader reader, long nowMillis) {
        return render(event, room, reader, null, nowMillis);
    }

    /**
     * The event as this reader gets it, at this time.
     *
     * @param room the room to name in the event, or null inside a sync, where it is known
     * @param relationsJson what is bundled with the event (contract.md 9.7), or null
     */
    public static String render(
            EventAppended event, @Nullable RoomId room, Reader reader, @Nullable String relationsJson, long nowMillis) {
        var meta = event.meta();
        String stored = event.eventJson();
        var out = new StringBuilder(stored.length() + 160);
        out.append(stored, 0, stored.length() - 1);
        if (room != null) {
            out.append(",\"room_id\":");
            quoted(out, room.value());
        }
        out.append(",\"unsigned\":{\"age\":").append(Math.max(0, nowMillis - meta.ts()));
        out.append(",\"membership\":\"").append(reader.membership.word).append('"');
        var transaction = meta.transaction();
        if (transaction != null
                && meta.sender().equals(reader.user)
                && transaction.device().equals(reader.device)) {
            out.append(",\"transaction_id\":");
            quoted(out, transaction.txn().value());
        }
        if (meta.replaces() != null) {
            out.append(",\"replaces_state\":");
            quoted(out, meta.replaces().eventId().value());
            if (reader.sawPrevious && event.prevContentJson() != null) {
                out.append(",\"prev_content\":").append(event.prevContentJson());
            }
        }
        if (reader.isPending
                && event.strippedStateJson() != null
                && reader.user.value().equals(meta.stateKey())) {
            out.append(meta.membership() == Membership.KNOCK ? ",\"knock_room_state\":" : ",\"invite_room_state\":");
            out.append(event.strippedStateJson());
        }
        if (event.redactedBecauseJson() != null) {
            redactedBecause(out, event.redactedBecauseJson(), room);
        }
        if (relationsJson != null) {
            out.append(",\"m.relations\":").append(relationsJson);
        }
        return out.append("}}").toString();
    }

    private static void redactedBecause(StringBuilder out, String redaction, @Nullable RoomId room) {
        out.append(",\"redacted_because\":").append(redaction, 0, redaction.length() - 1);
        if (room != null) {
            out.append(",\"room_id\":");
            quoted(out, room.value());
        }
        out.append('}');
    }

    private static void quoted(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }
}
