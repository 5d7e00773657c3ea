package rookery.room.table;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an event's {@code m.relates_to} says (contract.md 9.7).
 *
 * @param key of an annotation, as the column holds it; null where there is none
 */
public record Relation(
        String type, EventId parent, @Nullable String key) {
    public static final String ANNOTATION = "m.annotation";
    public static final String REFERENCE = "m.reference";
    public static final String REPLACE = "m.replace";
    public static final String THREAD = "m.thread";

    private static final int TYPE_BYTES_MAX = 255; // as of event types; longer ones fit no index

    /** Null where the content relates to nothing that could be an event: that is ignored, not refused. */
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

    /** How an event says that it relates to another one, whether or not that is in the room; null if it does not. */
    public static @Nullable String type(StoredEvent event) {
        // few events hold the word, and only those are read
        return event.event().eventJson().contains("\"rel_type\"") ? type(event.content()) : null;
    }

    private static @Nullable String type(ObjectNode content) {
        var type = content.path("m.relates_to").path("rel_type");
        return type.isString() ? type.stringValue() : null;
    }

    /** Whether an event replaces nothing although it is an edit: its content would have to hold the new one, or be encrypted. */
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
