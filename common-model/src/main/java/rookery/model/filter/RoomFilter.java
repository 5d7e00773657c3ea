// SPDX-License-Identifier: Apache-2.0
package rookery.model.filter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;

/** The room part of a filter (contract.md 10.6). Its lists of rooms apply before its event filters. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RoomFilter(
        @Nullable List<String> rooms,
        @JsonProperty("not_rooms") @Nullable List<String> notRooms,
        @JsonProperty("include_leave") boolean includeLeave,
        EventFilter state,
        EventFilter timeline,
        EventFilter ephemeral,
        @JsonProperty("account_data") EventFilter accountData) {
    public static final RoomFilter ALL =
            new RoomFilter(null, null, false, EventFilter.ALL, EventFilter.ALL, EventFilter.ALL, EventFilter.ALL);

    private static final int TIMELINE_DEFAULT = 10;
    private static final int TIMELINE_MAX = 100;

    public boolean passesRoom(RoomId room) {
        return (rooms == null || rooms.contains(room.value()))
                && (notRooms == null || !notRooms.contains(room.value()));
    }

    /** The most events of a timeline (L of contract.md 10.4): 10 by default, at most 100, 0 if the client asks for none. */
    public int timelineLimit() {
        var limit = timeline.limit();
        if (limit == null) {
            return TIMELINE_DEFAULT;
        }
        return limit == 0 ? 0 : Math.clamp(limit, 1, TIMELINE_MAX);
    }
}
