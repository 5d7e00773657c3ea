// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event's {@code m.relates_to} (contract.md 9.7).
 *
 * @param key of an annotation, as stored in the column; null for other relations
 */
public record Relation(
        String type, EventId parent, @Nullable String key) {
    public static final String ANNOTATION = "m.annotation";
    public static final String REFERENCE = "m.reference";
    public static final String REPLACE = "m.replace";
    public static final String THREAD = "m.thread";

    private static final int TYPE_BYTES_MAX = 255; // the limit of event types; longer types do not fit into the index

    /** Null for content without a valid relation, which is ignored and not refused. */
    public static @Nullable Relation of(ObjectNode content) {
        var relation = content.path("m.relates_to");
        var type = relation.path("rel_type");
        var parent = relation.path("event_id");
        if (!type.isString() || !parent.isString() || !isType(type.stringValue())) {
            return null;
        }
        var id = EventId.parse(parent.stringValue());
        var key = relation.path("key");
        return id == null
                ? null
                : new Relation(type.stringValue(), id, key.isString() ? column(key.stringValue()) : null);
    }

    /** The event's relation type, also when the parent is not in the room; null without a relation. */
    public static @Nullable String type(StoredEvent event) {
        // only events with the word are parsed
        return event.event().eventJson().contains("\"rel_type\"") ? type(event.content()) : null;
    }

    private static @Nullable String type(ObjectNode content) {
        var type = content.path("m.relates_to").path("rel_type");
        return type.isString() ? type.stringValue() : null;
    }

    /** Whether an edit replaces nothing: an edit needs {@code m.new_content}, or is encrypted. */
    public static boolean isInvalidEdit(String type, ObjectNode content) {
        return REPLACE.equals(type(content))
                && !type.equals(EventTypes.ENCRYPTED)
                && !content.path("m.new_content").isObject();
    }

    private static boolean isType(String word) {
        return word.indexOf('\0') < 0 && word.getBytes(StandardCharsets.UTF_8).length <= TYPE_BYTES_MAX;
    }

    private static String column(String key) {
        return key.replace("\\", "\\\\").replace("\0", "\\0");
    }
}
