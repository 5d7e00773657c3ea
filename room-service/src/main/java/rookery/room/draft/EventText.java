// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.platform.json.CanonicalJson;
import rookery.room.table.SearchIndex;
import tools.jackson.databind.node.ObjectNode;

/**
 * Texts derived from an event's content, made once and before the lock on the shard, because other appends wait for the lock.
 *
 * @param content as canonical JSON
 * @param redacts the target in the content of a redaction
 * @param words for full-text search; null without searchable words
 */
public record EventText(String content, @Nullable String redacts, SearchIndex.@Nullable Words words) {
    /** M_BAD_JSON for content without a canonical form. */
    public static EventText of(TenantRoom room, String type, @Nullable String stateKey, ObjectNode content) {
        boolean isRedaction = stateKey == null && type.equals(EventTypes.REDACTION);
        return new EventText(
                CanonicalJson.write(content),
                isRedaction ? content.path("redacts").asStringOpt().orElse(null) : null,
                SearchIndex.Words.of(room, type, stateKey, content));
    }
}
