// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.sync.ring.EarlierMemberships;

/**
 * A user's membership of a room since a position.
 *
 * @param joinedFrom the start of the current uninterrupted membership; undefined unless joined
 * @param earlier the memberships before {@code joinedFrom}; null if unknown
 * @param before the span before, if known: a client's token may be from then
 * @param cut whether earlier spans, if any, are unknown
 */
record MembershipSpan(
        Membership membership,
        long pos,
        long joinedFrom,
        @Nullable EarlierMemberships earlier,
        @Nullable MembershipSpan before,
        boolean cut) {
    /** Several member events may follow the positions of a look, which the node has not reached yet for other rooms. */
    private static final int BEFORE_MAX = 8;

    static MembershipSpan ofSnapshot(
            Membership membership, long pos, long joinedFrom, @Nullable EarlierMemberships earlier) {
        return new MembershipSpan(membership, pos, joinedFrom, earlier, null, true);
    }

    static MembershipSpan first(Membership membership, long pos) {
        return new MembershipSpan(membership, pos, pos, null, null, false);
    }

    MembershipSpan then(MembershipChange change, long at) {
        boolean stays = isJoined() && change.before() == Membership.JOIN && change.after() == Membership.JOIN;
        return new MembershipSpan(
                change.after(), at, stays ? joinedFrom : at, stays ? earlier : null, latest(BEFORE_MAX), false);
    }

    /** This span with fewer spans before. */
    private MembershipSpan latest(int spans) {
        if (before == null) {
            return this;
        }
        return spans == 1
                ? new MembershipSpan(membership, pos, joinedFrom, earlier, null, true)
                : new MembershipSpan(membership, pos, joinedFrom, earlier, before.latest(spans - 1), false);
    }

    /** The membership at a position; null if none or unknown. */
    @Nullable
    MembershipSpan at(long upto) {
        var span = this;
        while (span != null && span.pos > upto) {
            span = span.before;
        }
        return span;
    }

    boolean isJoined() {
        return membership == Membership.JOIN;
    }

    /** Whether the spans before the oldest known one, if any, are unknown. */
    boolean isCut() {
        return before == null ? cut : before.isCut();
    }

    /** Whether the user may have been joined at any time after the position. */
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
