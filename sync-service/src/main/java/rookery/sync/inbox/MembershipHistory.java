// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.ring.RoomActivity.LastActivity;
import rookery.sync.ring.RoomRing;
import rookery.sync.ring.WarmRoom.MetMembership;
import rookery.sync.unread.Name;

/** A connected user's membership of a room over time. Guarded by {@link RoomMemberships}. */
final class MembershipHistory {
    final int shard;
    MembershipSpan span;

    @Nullable
    RoomRing ring;

    /** Member events from before the current join, as this reader may see them, by user. */
    Map<String, MetMembership> met = Map.of();
    /** The user's display name in the room; null if unknown. */
    @Nullable
    Name name;

    /** The activity of a room without a ring, as of the membership {@link #span}; null if unknown. */
    @Nullable
    LastActivity activity;

    MembershipHistory(int shard, MembershipSpan span, @Nullable Name name) {
        this.shard = shard;
        this.span = span;
        this.name = name;
    }

    void then(OwnMemberEvent own) {
        span = span.then(own.change(), own.pos());
        name = own.name();
        activity = null;
    }

    ListedRoom listed(RoomId room, MembershipSpan at) {
        return new ListedRoom(
                room,
                shard,
                at.membership(),
                at.pos(),
                at.isJoined() ? at.joinedFrom() : at.pos(),
                at.earlier(),
                met,
                ring,
                ring == null ? activity : ring.activity().seen());
    }
}
