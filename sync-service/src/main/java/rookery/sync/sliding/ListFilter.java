// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.sync.inbox.ListedRoom;

/**
 * Which rooms are in a list ({@code SlidingRoomFilter} of MSC4186); null for any.
 *
 * @param roomTypes the empty string stands for rooms without a type
 */
record ListFilter(
        @Nullable Boolean isDm,
        @Nullable Boolean isEncrypted,
        @Nullable Boolean isInvited,
        @Nullable Set<String> roomTypes,
        Set<String> notRoomTypes,
        @Nullable Set<String> tags,
        Set<String> notTags,
        @Nullable Set<String> spaces) {
    static final ListFilter ALL = new ListFilter(null, null, null, null, Set.of(), null, Set.of(), null);

    boolean passes(ListedRoom room, UserRooms user) {
        boolean isInvite = room.membership() == Membership.INVITE;
        var activity = room.activity();
        var type = activity == null || activity.type() == null ? "" : activity.type();
        return (isInvited == null || isInvited == isInvite)
                && (isEncrypted == null || isEncrypted == (activity != null && activity.isEncrypted()))
                && (isDm == null || isDm == user.isDirect(room.room()))
                && (roomTypes == null || roomTypes.contains(type))
                && !notRoomTypes.contains(type)
                && hasTags(room.room(), user)
                && (spaces == null || spaces.stream().anyMatch(space -> user.contains(space, room.room())));
    }

    private boolean hasTags(RoomId room, UserRooms user) {
        if (tags == null && notTags.isEmpty()) {
            return true;
        }
        var ofRoom = user.tags(room);
        return (tags == null || !Collections.disjoint(tags, ofRoom)) && Collections.disjoint(notTags, ofRoom);
    }
}
