// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.filter.EventFilter;
import rookery.platform.event.FilterReader;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;
import rookery.room.table.Relation;
import rookery.room.table.StoredEvent;

/**
 * Filters events of a timeline by the standard's filter and by relation types (MSC3874, contract.md 10.6); null {@code relTypes}
 * pass events with any relation or no relation.
 */
public record TimelineFilter(
        EventFilter events,
        @Nullable List<String> relTypes,
        @Nullable List<String> notRelTypes) {
    /** Passes every event. */
    public static final TimelineFilter ALL = new TimelineFilter(EventFilter.ALL, null, null);

    private static final String UNSTABLE = "org.matrix.msc3874.";

    /** Parses the query parameter {@code filter}. M_NOT_JSON, M_BAD_JSON, M_INVALID_PARAM. */
    static TimelineFilter of(@Nullable String json) {
        if (json == null) {
            return ALL;
        }
        var filter = new JsonBody(StrictJson.object(json));
        return new TimelineFilter(
                FilterReader.event(filter), relTypes(filter, "rel_types"), relTypes(filter, "not_rel_types"));
    }

    private static @Nullable List<String> relTypes(JsonBody filter, String name) {
        return FilterReader.list(filter, filter.has(name) ? name : UNSTABLE + name);
    }

    boolean passes(StoredEvent event) {
        var meta = event.event().meta();
        return events.passes(meta.type(), meta.sender(), meta.url())
                && ((relTypes == null && notRelTypes == null) || passes(Relation.type(event)));
    }

    private boolean passes(@Nullable String relType) {
        return relType == null
                ? relTypes == null
                : (relTypes == null || relTypes.contains(relType))
                        && (notRelTypes == null || !notRelTypes.contains(relType));
    }
}
