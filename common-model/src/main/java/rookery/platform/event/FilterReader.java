// SPDX-License-Identifier: Apache-2.0
package rookery.platform.event;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.model.filter.SyncFilter;
import rookery.platform.http.JsonBody;

/**
 * Reads filters from JSON (contract.md 10.6): unknown keys are ignored, wrong types and lists of over 1,000 entries
 * are M_BAD_JSON.
 */
public final class FilterReader {
    private static final int LIST_MAX = 1000;

    private FilterReader() {}

    /**
     * Reads a whole filter, saved or inline. event_fields and event_format are only validated: events are always served whole, in
     * the client format.
     */
    public static SyncFilter sync(JsonBody json) {
        list(json, "event_fields");
        requireFormat(json.optionalString("event_format"));
        var room = json.optionalObject("room");
        return new SyncFilter(
                withoutRooms(json.optionalObject("presence")),
                withoutRooms(json.optionalObject("account_data")),
                room == null ? RoomFilter.ALL : room(room));
    }

    private static void requireFormat(@Nullable String format) {
        if (format != null && !format.equals("client") && !format.equals("federation")) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "event_format is client or federation");
        }
    }

    /** Reads an EventFilter, for items outside of rooms. */
    private static EventFilter withoutRooms(@Nullable JsonBody json) {
        if (json == null) {
            return EventFilter.ALL;
        }
        return new EventFilter(
                limit(json),
                list(json, "types"),
                list(json, "not_types"),
                ids(json, "senders", "@"),
                ids(json, "not_senders", "@"),
                null,
                null,
                null,
                false,
                false,
                false);
    }

    /** Reads a RoomEventFilter. */
    public static EventFilter event(@Nullable JsonBody json) {
        if (json == null) {
            return EventFilter.ALL;
        }
        return new EventFilter(
                limit(json),
                list(json, "types"),
                list(json, "not_types"),
                ids(json, "senders", "@"),
                ids(json, "not_senders", "@"),
                ids(json, "rooms", "!"),
                ids(json, "not_rooms", "!"),
                json.optionalBool("contains_url"),
                json.boolOr("lazy_load_members", false),
                json.boolOr("include_redundant_members", false),
                json.boolOr("unread_thread_notifications", false));
    }

    private static RoomFilter room(JsonBody json) {
        return new RoomFilter(
                ids(json, "rooms", "!"),
                ids(json, "not_rooms", "!"),
                json.boolOr("include_leave", false),
                event(json.optionalObject("state")),
                event(json.optionalObject("timeline")),
                event(json.optionalObject("ephemeral")),
                event(json.optionalObject("account_data")));
    }

    private static @Nullable Integer limit(JsonBody json) {
        var limit = json.optionalInteger("limit");
        return limit == null ? null : Math.clamp(limit, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** M_INVALID_PARAM for an entry that is not an id, because the filter would silently pass nothing. */
    private static @Nullable List<String> ids(JsonBody json, String field, String sigil) {
        var list = list(json, field);
        if (list != null && !list.stream().allMatch(id -> id.startsWith(sigil))) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, field + " holds ids that begin with " + sigil);
        }
        return list;
    }

    /** Reads a list of strings; null if the key is absent. */
    public static @Nullable List<String> list(JsonBody json, String field) {
        if (!json.has(field)) {
            return null;
        }
        var list = json.strings(field);
        if (list.size() > LIST_MAX) {
            throw new ApiException(ErrorCode.M_BAD_JSON, field + " has more than " + LIST_MAX + " entries");
        }
        if (list.stream().anyMatch(FilterReader::isBroken)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, field + " contains an unpaired surrogate");
        }
        return list;
    }

    /** Half a surrogate pair has no UTF-8 form, and services pass filters on. */
    private static boolean isBroken(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
