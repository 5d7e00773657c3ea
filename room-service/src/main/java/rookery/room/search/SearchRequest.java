// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.filter.EventFilter;
import rookery.platform.event.FilterReader;
import rookery.platform.http.JsonBody;
import rookery.room.table.SearchIndex.Searchable;
import rookery.room.timeline.PageLimit;

/**
 * A search request (contract.md 13.7): {@code recent} orders by time instead of rank, {@code around} is null for no context,
 * {@code groups} are groupings of the results.
 */
record SearchRequest(
        String term,
        Set<Searchable> keys,
        EventFilter filter,
        int limit,
        boolean recent,
        @Nullable ContextSize around,
        boolean includeState,
        List<Grouping> groups) {
    private static final int LIMIT = 10;
    private static final int LIMIT_MAX = 50;
    private static final long AROUND = 5;
    private static final int AROUND_MAX = 50;

    /** Numbers of events before and after each result, and whether to add the senders' profiles of that time. */
    record ContextSize(int before, int after, boolean profiles) {}

    enum Grouping {
        ROOM("room_id"),
        SENDER("sender");

        final String word;

        Grouping(String word) {
            this.word = word;
        }
    }

    /** M_MISSING_PARAM without a term, M_BAD_JSON for wrong types, M_INVALID_PARAM for unknown words. */
    static SearchRequest of(JsonBody body) {
        var events = body.object("search_categories").object("room_events");
        String term = events.string("search_term");
        var filter = FilterReader.event(events.optionalObject("filter"));
        var limit = filter.limit();
        return new SearchRequest(
                term,
                keys(events, filter),
                filter,
                limit == null ? LIMIT : PageLimit.of(limit, 1, LIMIT_MAX),
                isRecent(events.optionalString("order_by")),
                around(events.optionalObject("event_context")),
                events.boolOr("include_state", false),
                groups(events.optionalObject("groupings")));
    }

    private static Set<Searchable> keys(JsonBody events, EventFilter filter) {
        var keys = EnumSet.allOf(Searchable.class);
        if (events.has("keys")) {
            keys.clear();
            events.strings("keys").forEach(word -> keys.add(key(word)));
        }
        keys.removeIf(key -> !filter.passesType(key.type));
        return keys;
    }

    private static Searchable key(String word) {
        return Arrays.stream(Searchable.values())
                .filter(key -> word.equals("content." + key.field))
                .findFirst()
                .orElseThrow(() -> invalid("keys are content.body, content.name and content.topic"));
    }

    private static boolean isRecent(@Nullable String order) {
        if (order == null || order.equals("rank")) {
            return false;
        }
        if (order.equals("recent")) {
            return true;
        }
        throw invalid("order_by is rank or recent");
    }

    private static @Nullable ContextSize around(@Nullable JsonBody context) {
        return context == null
                ? null
                : new ContextSize(
                        number(context.optionalInteger("before_limit")),
                        number(context.optionalInteger("after_limit")),
                        context.boolOr("include_profile", false));
    }

    private static int number(@Nullable Long count) {
        return PageLimit.of(count == null ? AROUND : count, 0, AROUND_MAX);
    }

    private static List<Grouping> groups(@Nullable JsonBody groupings) {
        var groups = new ArrayList<Grouping>();
        if (groupings != null) {
            groupings.objects("group_by").forEach(group -> groups.add(grouping(group.string("key"))));
        }
        return groups.stream().distinct().toList();
    }

    private static Grouping grouping(String word) {
        return Arrays.stream(Grouping.values())
                .filter(grouping -> word.equals(grouping.word))
                .findFirst()
                .orElseThrow(() -> invalid("results are grouped by room_id or sender"));
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
