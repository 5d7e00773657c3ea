package rookery.room.section;

import static rookery.model.event.Membership.INVITE;
import static rookery.model.event.Membership.JOIN;
import static rookery.model.event.Membership.KNOCK;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.room.authorization.MemberHistory;

/**
 * A room that a sync may have to speak of, and how.
 *
 * @param after the client has had everything up to here
 * @param upto the section ends here: at the answer's end, or where the user left
 * @param history the user's membership, as far as the answer goes
 * @param fresh whether the client knows nothing of the room: initial sync, or newly joined
 */
record Candidate(
        RoomId room, int shard, Section.Kind kind, long after, long upto, MemberHistory history, boolean fresh) {
    /** Where the timeline may begin: a client that knows nothing gets what came before as well. */
    long timelineFrom() {
        return fresh ? 0 : after;
    }

    /** The member event that this section is about: the invitation, the knock, the leave. */
    long ownEvent() {
        return history.spans().getLast().from();
    }

    boolean wasEverJoined() {
        return history.wasEverJoined();
    }

    /** Whether the user was in the room at any time that the section is about: whoever only declined learns nothing of it. */
    boolean wasThere() {
        return wasEverJoined() && (fresh || history.at(after) == JOIN);
    }

    /**
     * What the sync has to say of a room; null if nothing, whatever happened in it (contract.md 10.4).
     *
     * @param history the user's membership, as far as the answer goes
     */
    static @Nullable Candidate of(
            RoomId room, int shard, MemberHistory history, boolean forgotten, SyncRequest request, long upto) {
        if (history.spans().isEmpty()) {
            return null;
        }
        long after = Math.min(request.since(shard), upto);
        var now = history.now();
        boolean changed = history.spans().getLast().from() > after;
        if (now == JOIN) {
            boolean fresh = request.isInitial() || history.joinedFrom() > after;
            return new Candidate(room, shard, Section.Kind.JOIN, after, upto, history, fresh);
        }
        if (now == INVITE || now == KNOCK) {
            var kind = now == INVITE ? Section.Kind.INVITE : Section.Kind.KNOCK;
            return changed ? new Candidate(room, shard, kind, after, upto, history, true) : null;
        }
        long left = end(history);
        boolean told = request.isInitial()
                ? request.filter().includeLeave() && history.wasEverJoined() && !forgotten
                : left > after && hadToDo(history, after);
        if (!told) {
            return null;
        }
        boolean fresh = request.isInitial() || cameInAfter(history, after);
        return forgotten
                ? onlyTheEnd(room, shard, left, history)
                : new Candidate(room, shard, Section.Kind.LEAVE, after, left, history.upTo(left), fresh);
    }

    /** Another device of the user must hear that the room is left, or it would keep it for ever; of the room it hears nothing. */
    private static Candidate onlyTheEnd(RoomId room, int shard, long left, MemberHistory history) {
        var end = new MemberHistory(List.of(new MemberHistory.Span(left, history.at(left))));
        return new Candidate(room, shard, Section.Kind.LEAVE, left - 1, left, end, false);
    }

    /** Where the user went out for the last time; a ban after a leave ends nothing. */
    private static long end(MemberHistory history) {
        long end = -1;
        boolean inside = false;
        for (var span : history.spans()) {
            boolean isInside = isInside(span.membership());
            if (inside && !isInside) {
                end = span.from();
            }
            inside = isInside;
        }
        return end < 0 ? history.spans().getLast().from() : end;
    }

    private static boolean hadToDo(MemberHistory history, long after) {
        return isInside(history.at(after))
                || history.spans().stream().anyMatch(span -> span.from() > after && isInside(span.membership()));
    }

    /** Joined and left again, both since the client last heard: it knows nothing of the room. */
    private static boolean cameInAfter(MemberHistory history, long after) {
        return history.at(after) != JOIN
                && history.spans().stream().anyMatch(span -> span.from() > after && span.membership() == JOIN);
    }

    private static boolean isInside(Membership membership) {
        return List.of(JOIN, INVITE, KNOCK).contains(membership);
    }
}
