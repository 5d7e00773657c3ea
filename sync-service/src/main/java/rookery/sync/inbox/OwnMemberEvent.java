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

/** One of the user's own member events, and the name in it. */
record OwnMemberEvent(RoomId room, int shard, long pos, MembershipChange change, Name name) {
    /** Who is out of a room is so whatever they were before. */
    private static final MembershipChange OUT = new MembershipChange(Membership.JOIN, Membership.LEAVE);

    /**
     * What an entry about the user says; one that does not say what they are leaves them out of the room.
     *
     * @param entry with the user as its subject
     */
    static OwnMemberEvent of(LogRecord entry, EventAppended event) {
        return of(entry, event.meta().membershipChange(), Names.in(event));
    }

    /** The user is out of a room that was purged, as if they had left it there. */
    static OwnMemberEvent ofPurge(LogRecord entry) {
        return of(entry, OUT, new Name(null));
    }

    private static OwnMemberEvent of(LogRecord entry, @Nullable MembershipChange change, Name name) {
        return new OwnMemberEvent(
                Objects.requireNonNull(entry.room()), entry.shard(), entry.pos(), change == null ? OUT : change, name);
    }
}
