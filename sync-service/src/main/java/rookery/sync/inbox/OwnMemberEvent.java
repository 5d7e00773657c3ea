// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.unread.Name;
import rookery.sync.unread.Names;

/** A member event of the user, and the display name in the event. */
record OwnMemberEvent(RoomId room, int shard, long pos, MembershipChange change, Name name) {
    /** The membership before does not matter to a user outside of the room. */
    private static final MembershipChange OUT = new MembershipChange(Membership.JOIN, Membership.LEAVE);

    /** The member event in an entry of the user; without a membership change, the user is outside of the room. */
    static OwnMemberEvent of(LogRecord entry, EventAppended event) {
        return of(entry, event.meta().membershipChange(), Names.in(event));
    }

    /** A purge of the room, which counts as leaving. */
    static OwnMemberEvent ofPurge(LogRecord entry) {
        return of(entry, OUT, new Name(null));
    }

    private static OwnMemberEvent of(LogRecord entry, @Nullable MembershipChange change, Name name) {
        return new OwnMemberEvent(
                Objects.requireNonNull(entry.room()), entry.shard(), entry.pos(), change == null ? OUT : change, name);
    }
}
