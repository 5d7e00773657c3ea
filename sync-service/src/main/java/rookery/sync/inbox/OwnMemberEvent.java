package rookery.sync.inbox;

import java.util.Objects;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord.EventMeta;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.sync.unread.Name;

/** One of the user's own member events, and the name in it. */
record OwnMemberEvent(RoomId room, int shard, long pos, EventMeta meta, Name name) {
    /** The user is out of a room that was purged, as if they had left it there. */
    static OwnMemberEvent ofPurge(UserId user, LogRecord entry, RoomPurged purge) {
        var meta = new EventMeta(
                new EventId("$purged"),
                EventTypes.MEMBER,
                purge.by(),
                user.value(),
                purge.ts(),
                null,
                null,
                "shared",
                null,
                Membership.LEAVE,
                null,
                null,
                null,
                null,
                0,
                0,
                false);
        return new OwnMemberEvent(
                Objects.requireNonNull(entry.room()), entry.shard(), entry.pos(), meta, new Name(null));
    }
}
