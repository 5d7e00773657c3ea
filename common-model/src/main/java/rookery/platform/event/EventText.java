// SPDX-License-Identifier: Apache-2.0
package rookery.platform.event;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Renders a stored event for one reader: copies the stored text without parsing, and appends the parts that depend on the reader
 * (contract.md 9.1).
 */
public final class EventText {
    private EventText() {}

    /**
     * The reader of an event.
     *
     * @param membership the reader's membership after the event
     * @param sawPrevious whether the replaced state event is visible to the reader
     * @param isPending whether the event is the reader's own unanswered invite or knock. An answered one no longer shows the
     *     room's state, of which a part may have been redacted since
     */
    public record Reader(
            UserId user, @Nullable DeviceId device, Membership membership, boolean sawPrevious, boolean isPending) {
        /** Creates the reader of an event that is no pending invite or knock. */
        public Reader(UserId user, @Nullable DeviceId device, Membership membership, boolean sawPrevious) {
            this(user, device, membership, sawPrevious, false);
        }
    }

    /** Renders an event without bundled relations. */
    public static String render(EventAppended event, @Nullable RoomId room, Reader reader, long nowMillis) {
        return render(event, room, reader, null, nowMillis);
    }

    /**
     * Renders the event with {@code unsigned} for this reader: the age at {@code nowMillis}, the transaction id for the sending
     * device, and only visible previous content.
     *
     * @param room the room id to include, or null inside a sync, where the room is known
     * @param relationsJson the bundled relations (contract.md 9.7), or null
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
        if (meta.delayId() != null && meta.sender().equals(reader.user)) {
            quoted(out.append(",\"org.matrix.msc4140.delay_id\":"), meta.delayId());
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
