package rookery.room.draft;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.platform.json.CanonicalJson;
import rookery.room.table.SearchIndex;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is made of an event's content alone, once and before its shard is locked: others wait for that lock.
 *
 * @param content as canonical JSON
 * @param redacts what the content of a redaction names, if it does
 * @param words what can be searched for, if there is anything
 */
public record EventText(String content, @Nullable String redacts, SearchIndex.@Nullable Words words) {
    /** M_BAD_JSON for content that has no canonical form. */
    public static EventText of(TenantRoom room, String type, @Nullable String stateKey, ObjectNode content) {
        boolean isRedaction = stateKey == null && type.equals(EventTypes.REDACTION);
        return new EventText(
                CanonicalJson.write(content),
                isRedaction ? content.path("redacts").asStringOpt().orElse(null) : null,
                SearchIndex.Words.of(room, type, stateKey, content));
    }
}
