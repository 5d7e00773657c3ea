// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.sync.inbox.RoomMemberships.RoomNews;
import rookery.sync.ring.EarlierMemberships;
import rookery.sync.ring.RoomActivity.LastActivity;
import rookery.sync.ring.RoomRing;
import rookery.sync.ring.WarmRoom.MetMembership;

/**
 * A room of a connected user, as the lists of sliding sync need it.
 *
 * @param membershipPos the position of the user's member event
 * @param joinedFrom the start of the current uninterrupted membership, if joined
 * @param ring null unless the user is joined
 * @param activity null if unknown on this node
 */
public record ListedRoom(
        RoomId room,
        int shard,
        Membership membership,
        long membershipPos,
        long joinedFrom,
        @Nullable EarlierMemberships earlier,
        Map<String, MetMembership> met,
        @Nullable RoomRing ring,
        @Nullable LastActivity activity) {
    public boolean isJoined() {
        return membership == Membership.JOIN;
    }

    public boolean isLeft() {
        return membership == Membership.LEAVE || membership == Membership.BAN;
    }

    /** Whether the user is invited, and the settings hide the invitation (contract.md 8.3, 13.2). */
    public boolean isHiddenBy(UserData.Settings settings) {
        return membership == Membership.INVITE
                && (settings.blocksInvites()
                        || (activity != null
                                && activity.inviter() != null
                                && settings.ignored().contains(activity.inviter())));
    }

    /** The room as after a leave at the position of the member event. */
    public ListedRoom left() {
        return new ListedRoom(room, shard, Membership.LEAVE, membershipPos, joinedFrom, earlier, met, ring, activity);
    }

    /** The time of the room's last event for the user; 0 if unknown. */
    public long lastMs() {
        return activity == null ? 0 : activity.lastMs();
    }

    /** Whether the user may have new content of the room after the position, receipts included. */
    public boolean hasNewsAfter(long pos) {
        return membershipPos > pos || (isJoined() && (ring == null || ring.hasNewsAfter(pos)));
    }

    /** The room to read from memory. */
    public RoomNews news(RoomRing attached) {
        return new RoomNews(room, shard, joinedFrom, earlier, met, attached);
    }
}
