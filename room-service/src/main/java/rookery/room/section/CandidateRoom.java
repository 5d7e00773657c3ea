// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.model.event.Membership.INVITE;
import static rookery.model.event.Membership.JOIN;
import static rookery.model.event.Membership.KNOCK;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.room.authorization.MemberHistory;

/**
 * A room that a sync response may contain.
 *
 * @param after the client has all events up to this position
 * @param upto the end of the section: the end of the response, or the user's leave
 * @param history the user's memberships up to the end of the response
 * @param fresh whether the room is new to the client: in an initial sync, or after a join
 */
record CandidateRoom(
        RoomId room, int shard, Section.Kind kind, long after, long upto, MemberHistory history, boolean fresh) {
    /** The position after which the timeline may begin; a client to which the room is new also gets earlier events. */
    long timelineFrom() {
        return fresh ? 0 : after;
    }

    boolean wasEverJoined() {
        return history.wasEverJoined();
    }

    /** Whether the user was joined at some time of the section's range. A user who only declined an invitation gets no state. */
    boolean wasThere() {
        return wasEverJoined() && (fresh || history.at(after) == JOIN);
    }

    /**
     * The room's part of a sync response; null for a room that the response leaves out (contract.md 10.4).
     *
     * @param history the user's memberships up to the end of the response
     */
    static @Nullable CandidateRoom of(
            RoomId room, int shard, MemberHistory history, boolean forgotten, SyncRequest request, long upto) {
        if (history.spans().isEmpty()) {
            return null;
        }
        long after = Math.min(request.since(room, shard), upto);
        var now = history.now();
        boolean changed = history.spans().getLast().from() > after;
        if (now == JOIN) {
            boolean fresh = request.isInitial() || history.joinedFrom() > after;
            return new CandidateRoom(room, shard, Section.Kind.JOIN, after, upto, history, fresh);
        }
        if (now == INVITE || now == KNOCK) {
            var kind = now == INVITE ? Section.Kind.INVITE : Section.Kind.KNOCK;
            return changed ? new CandidateRoom(room, shard, kind, after, upto, history, true) : null;
        }
        long left = end(history);
        boolean included = request.isInitial()
                ? request.filter().includeLeave() && history.wasEverJoined() && !forgotten
                : left > after && hadToDo(history, after);
        if (!included) {
            return null;
        }
        boolean fresh = request.isInitial() || cameInAfter(history, after);
        return forgotten
                ? onlyTheEnd(room, shard, left, history)
                : new CandidateRoom(room, shard, Section.Kind.LEAVE, after, left, history.upTo(left), fresh);
    }

    /** Only the leave event of a forgotten room: the user's other devices must learn of the leave to drop the room. */
    private static CandidateRoom onlyTheEnd(RoomId room, int shard, long left, MemberHistory history) {
        var end = new MemberHistory(List.of(new MemberHistory.Span(left, history.at(left))));
        return new CandidateRoom(room, shard, Section.Kind.LEAVE, left - 1, left, end, false);
    }

    /** The position of the user's last leave; a ban after a leave does not count. */
    private static long end(MemberHistory history) {
        long end = -1;
        boolean inside = false;
        for (var span : history.spans()) {
            boolean isInside = MemberHistory.isInside(span.membership());
            if (inside && !isInside) {
                end = span.from();
            }
            inside = isInside;
        }
        return end < 0 ? history.spans().getLast().from() : end;
    }

    private static boolean hadToDo(MemberHistory history, long after) {
        return MemberHistory.isInside(history.at(after))
                || history.spans().stream()
                        .anyMatch(span -> span.from() > after && MemberHistory.isInside(span.membership()));
    }

    /** Whether the user joined after the client's position and left again: the room is new to the client. */
    private static boolean cameInAfter(MemberHistory history, long after) {
        return history.at(after) != JOIN
                && history.spans().stream().anyMatch(span -> span.from() > after && span.membership() == JOIN);
    }
}
