// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.directory.listing.ListedRooms.FoundRooms;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;

/**
 * A page of the room directory (contract.md 6), without tokens beyond its ends. The estimate counts the rooms that match
 * the query.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RoomPage(
        List<Entry> chunk,
        @JsonProperty("next_batch") @Nullable String nextBatch,
        @JsonProperty("prev_batch") @Nullable String prevBatch,
        @JsonProperty("total_room_count_estimate") long totalRoomCountEstimate) {
    RoomPage {
        chunk = List.copyOf(chunk);
    }

    /** A query of the room directory: a part of a name, topic or alias, or empty for all rooms; null for rooms of any type. */
    record RoomQuery(TenantId tenant, String term, @Nullable Types types) {}

    /** Types of rooms; {@code ordinary} includes rooms without a type. */
    record Types(List<String> named, boolean ordinary) {
        Types {
            named = List.copyOf(named);
        }
    }

    /**
     * The boundary of a page: the page begins beyond this room's position, whether or not the room still exists. Changes of other
     * rooms do not shift rooms between the following pages.
     *
     * @param isBack towards the beginning
     */
    record PagePosition(boolean isBack, int joined, RoomId room) {
        private static final int PARTS = 3;

        /** M_INVALID_PARAM for a malformed token. */
        static PagePosition of(String token) {
            try {
                var parts = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", -1);
                if (parts.length == PARTS && (parts[0].equals("n") || parts[0].equals("p"))) {
                    return new PagePosition(parts[0].equals("p"), Integer.parseInt(parts[1]), new RoomId(parts[2]));
                }
            } catch (IllegalArgumentException | ApiException _) {
                // refused below
            }
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "since is not a token of this directory");
        }

        String token() {
            var text = (isBack ? "p " : "n ") + joined + " " + room.value();
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A room of a page; null fields are absent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("num_joined_members") int numJoinedMembers,
            @JsonProperty("world_readable") boolean worldReadable,
            @JsonProperty("guest_can_join") boolean guestCanJoin,
            @Nullable String name,
            @Nullable String topic,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            @JsonProperty("canonical_alias") @Nullable String canonicalAlias,
            @JsonProperty("join_rule") @Nullable String joinRule,
            @JsonProperty("room_type") @Nullable String roomType) {
        static Entry of(ListedRoom room) {
            return new Entry(
                    room.key().room(),
                    room.joined(),
                    room.isWorldReadable(),
                    "can_join".equals(room.value(EventTypes.GUEST_ACCESS)),
                    room.value(EventTypes.NAME),
                    room.value(EventTypes.TOPIC),
                    room.value(EventTypes.AVATAR),
                    room.value(EventTypes.CANONICAL_ALIAS),
                    room.value(EventTypes.JOIN_RULES),
                    room.value(EventTypes.CREATE));
        }
    }

    /** Assembles the page in the directory's order, with its tokens. */
    static RoomPage of(FoundRooms read, @Nullable PagePosition place, long count) {
        boolean back = place != null && place.isBack;
        boolean goesOn = read.goesOn();
        var shown = read.rooms();
        var inOrder = back ? shown.reversed() : shown;
        if (inOrder.isEmpty()) {
            return new RoomPage(List.of(), null, null, count);
        }
        var next = place(false, inOrder.getLast());
        var previous = place(true, inOrder.getFirst());
        return new RoomPage(
                inOrder.stream().map(Entry::of).toList(),
                goesOn || back ? next : null,
                (back && goesOn) || (!back && place != null) ? previous : null,
                count);
    }

    private static String place(boolean isBack, ListedRoom room) {
        return new PagePosition(isBack, room.joined(), room.key().room()).token();
    }
}
