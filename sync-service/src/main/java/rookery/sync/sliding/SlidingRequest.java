// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;

/**
 * A request of sliding sync, in either form (contract.md 10.9).
 *
 * @param isUnstable whether the request has the form before MSC4186 was merged, and so must the answer
 * @param connection {@code conn_id}; empty by default
 * @param pos the {@code pos} of an earlier answer; null for a new connection
 * @param presence the user's presence while this device syncs
 * @param extensions the enabled extensions by name
 */
record SlidingRequest(
        boolean isUnstable,
        String connection,
        @Nullable String pos,
        Duration timeout,
        String presence,
        Map<String, ListRequest> lists,
        Map<RoomId, RoomConfig> subscriptions,
        Map<String, Extension> extensions) {
    static final String TO_DEVICE = "to_device";
    /** The extensions that the server has. */
    static final Set<String> EXTENSIONS = Set.of(TO_DEVICE, "e2ee", "account_data", "receipts", "typing");

    /**
     * A list of rooms.
     *
     * @param ranges windows, both ends inclusive; null for all rooms of the list
     */
    record ListRequest(@Nullable List<Range> ranges, ListFilter filter, RoomConfig config) {}

    record Range(int first, int last) {}

    /**
     * An enabled extension.
     *
     * @param since the position of the device in its messages; only of the extension {@code to_device}
     * @param lists the lists whose rooms the extension is for; null for all
     * @param rooms the subscriptions that the extension is for; null for all
     */
    record Extension(
            @Nullable String since,
            @Nullable Set<String> lists,
            @Nullable Set<String> rooms) {
        /** Whether the extension is for a room that is in the windows of these lists. */
        boolean covers(RoomId room, List<String> inLists, boolean isSubscribed) {
            boolean byList = lists == null || inLists.stream().anyMatch(lists::contains);
            boolean bySubscription = isSubscribed && (rooms == null || rooms.contains(room.value()));
            return bySubscription || (byList && (!isSubscribed || !inLists.isEmpty()));
        }
    }

    /** The spaces that lists are filtered by. */
    Set<String> spaces() {
        var spaces = new HashSet<String>();
        lists.values().forEach(list -> {
            if (list.filter.spaces() != null) {
                spaces.addAll(list.filter.spaces());
            }
        });
        return spaces;
    }

    int timelineLimitMax() {
        int most = 0;
        for (var list : lists.values()) {
            most = Math.max(most, list.config.timelineLimit());
        }
        for (var config : subscriptions.values()) {
            most = Math.max(most, config.timelineLimit());
        }
        return most;
    }

    boolean needsAllMembers(String reader) {
        return lists.values().stream()
                        .flatMap(list -> list.config.states().stream())
                        .anyMatch(state -> state.needsAllMembers(reader))
                || subscriptions.values().stream()
                        .flatMap(config -> config.states().stream())
                        .anyMatch(state -> state.needsAllMembers(reader));
    }
}
