// SPDX-License-Identifier: Apache-2.0
package rookery.model.filter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;

/**
 * EventFilter and RoomEventFilter of contract.md 10.6. An absent positive list passes everything, an empty list nothing, and the
 * {@code not_} lists win.
 *
 * @param types patterns in which {@code *} matches any run of characters
 * @param containsUrl whether the content must have or must not have a top-level {@code url}; null for either
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventFilter(
        @Nullable Integer limit,
        @Nullable List<String> types,
        @JsonProperty("not_types") @Nullable List<String> notTypes,
        @Nullable List<String> senders,
        @JsonProperty("not_senders") @Nullable List<String> notSenders,
        @Nullable List<String> rooms,
        @JsonProperty("not_rooms") @Nullable List<String> notRooms,
        @JsonProperty("contains_url") @Nullable Boolean containsUrl,
        @JsonProperty("lazy_load_members") boolean lazyLoadMembers,
        @JsonProperty("include_redundant_members") boolean includeRedundantMembers,
        @JsonProperty("unread_thread_notifications") boolean unreadThreadNotifications) {
    public static final EventFilter ALL =
            new EventFilter(null, null, null, null, null, null, null, null, false, false, false);

    public boolean passes(String type, UserId sender, boolean url) {
        return (containsUrl == null || containsUrl == url)
                && (types == null || types.stream().anyMatch(pattern -> matches(pattern, type)))
                && (notTypes == null || notTypes.stream().noneMatch(pattern -> matches(pattern, type)))
                && (senders == null || senders.contains(sender.value()))
                && (notSenders == null || !notSenders.contains(sender.value()));
    }

    /** For items with a type and without a sender, such as account data. */
    public boolean passesType(String type) {
        return (types == null || types.stream().anyMatch(pattern -> matches(pattern, type)))
                && (notTypes == null || notTypes.stream().noneMatch(pattern -> matches(pattern, type)));
    }

    /** Whether the filter drops nothing, in any room. */
    public boolean isOpen() {
        return types == null
                && notTypes == null
                && senders == null
                && notSenders == null
                && rooms == null
                && notRooms == null
                && containsUrl == null;
    }

    public boolean passesRoom(RoomId room) {
        return (rooms == null || rooms.contains(room.value()))
                && (notRooms == null || !notRooms.contains(room.value()));
    }

    /** {@code *} matches any run of characters; takes linear time in the length of the text for each star. */
    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
