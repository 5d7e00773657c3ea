// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import rookery.model.event.Membership;
import rookery.room.authorization.MemberHistory;

/** A requested change of a membership; each action has its own no-ops and refusals (contract.md 8.1, 8.3). */
public enum MemberAction {
    JOIN(Membership.JOIN),
    INVITE(Membership.INVITE),
    LEAVE(Membership.LEAVE),
    KICK(Membership.LEAVE),
    BAN(Membership.BAN),
    UNBAN(Membership.LEAVE),
    KNOCK(Membership.KNOCK),
    /** a join set as state: joins, or changes the member's profile in the room */
    SET_JOIN(Membership.JOIN),
    /** a leave set as state: leaves, kicks or lifts a ban, depending on the current membership */
    SET_LEAVE(Membership.LEAVE);

    public final Membership membership;

    MemberAction(Membership membership) {
        this.membership = membership;
    }

    /** Whether the user joins, is invited or knocks; the event then shows the user's profile. */
    public boolean comesIn() {
        return MemberHistory.isInside(membership);
    }
}
