// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.text;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.topic.EventMeta;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies of the room log: lines of JSON, so that an event's text is cut out and passed on without parsing.
 *
 * <p>Lines: meta, event, previous content, stripped state; the last two may be empty. A redacted event has a fifth line, the
 * redaction event. JSON without raw line feeds keeps each line whole. Receipts are one line, an array; a listing, a purge and a
 * change of devices are one line, an object.
 */
public final class RoomLogText {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int EVENT_LINES = 4;

    private RoomLogText() {}

    public static String write(EventAppended event) {
        return JSON.writeValueAsString(event.meta()) + "\n" + event.eventJson() + "\n"
                + orEmpty(event.prevContentJson()) + "\n" + orEmpty(event.strippedStateJson())
                + (event.redactedBecauseJson() == null ? "" : "\n" + event.redactedBecauseJson());
    }

    public static String write(ReceiptsSet receipts) {
        return JSON.writeValueAsString(receipts.receipts());
    }

    public static String write(ListingSet listing) {
        return JSON.writeValueAsString(listing);
    }

    public static String write(RoomPurged purge) {
        return JSON.writeValueAsString(purge);
    }

    public static String write(DeviceListChanged changed) {
        return JSON.writeValueAsString(changed);
    }

    /** Returns null for a kind that this release does not know; the entry is skipped. */
    public static @Nullable RoomLogRecord read(String kind, String body) {
        return switch (kind) {
            case RoomLogRecord.EVENT -> event(body);
            case RoomLogRecord.RECEIPT -> new ReceiptsSet(List.of(JSON.readValue(body, Receipt[].class)));
            case RoomLogRecord.LISTING -> JSON.readValue(body, ListingSet.class);
            case RoomLogRecord.PURGE -> JSON.readValue(body, RoomPurged.class);
            case RoomLogRecord.DEVICE_LIST -> JSON.readValue(body, DeviceListChanged.class);
            default -> null;
        };
    }

    private static EventAppended event(String body) {
        String[] lines = body.split("\n", EVENT_LINES + 1);
        if (lines.length < EVENT_LINES) {
            throw new IllegalArgumentException("an event has " + EVENT_LINES + " lines");
        }
        return new EventAppended(
                JSON.readValue(lines[0], EventMeta.class),
                lines[1],
                orNull(lines[2]),
                orNull(lines[3]),
                lines.length > EVENT_LINES ? lines[EVENT_LINES] : null);
    }

    private static String orEmpty(@Nullable String line) {
        return line == null ? "" : line;
    }

    private static @Nullable String orNull(String line) {
        return line.isEmpty() ? null : line;
    }
}
