package rookery.sync.inbox;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.topic.EventMeta.MembershipChange;

/**
 * What the user is to a room since a position.
 *
 * @param joinedFrom where the present uninterrupted time as a member began; meaningless unless joined
 * @param before what they were before, if that is remembered: a reader may still stand there
 * @param cut whether there was something before that is not remembered
 */
record MembershipSpan(
        Membership membership,
        long pos,
        long joinedFrom,
        @Nullable MembershipSpan before,
        boolean cut) {
    static MembershipSpan known(Membership membership, long pos, long joinedFrom) {
        return new MembershipSpan(membership, pos, joinedFrom, null, true);
    }

    static MembershipSpan first(Membership membership, long pos) {
        return new MembershipSpan(membership, pos, pos, null, false);
    }

    MembershipSpan then(MembershipChange change, long at) {
        boolean stays = isJoined() && change.before() == Membership.JOIN && change.after() == Membership.JOIN;
        var mine = new MembershipSpan(membership, pos, joinedFrom, null, before != null || cut);
        return new MembershipSpan(change.after(), at, stays ? joinedFrom : at, mine, false);
    }

    boolean isJoined() {
        return membership == Membership.JOIN;
    }

    /** Whether the user may have been in the room at any time after that position. */
    boolean mayHaveJoinedSince(long from) {
        for (var each = this; each != null; each = each.before) {
            if (each.isJoined() || (each.pos > from && each.before == null && each.cut)) {
                return true;
            }
            if (each.pos <= from) {
                return false;
            }
        }
        return false;
    }
}
