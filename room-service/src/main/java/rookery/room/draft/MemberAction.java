package rookery.room.draft;

import rookery.model.event.Membership;

/** What is asked about somebody's membership; each has its own no-ops and refusals (contract.md 8.1, 8.3). */
public enum MemberAction {
    JOIN(Membership.JOIN),
    INVITE(Membership.INVITE),
    LEAVE(Membership.LEAVE),
    KICK(Membership.LEAVE),
    BAN(Membership.BAN),
    UNBAN(Membership.LEAVE),
    KNOCK(Membership.KNOCK),
    /** the client sets a join through state PUT: joining, or changing one's profile here */
    SET_JOIN(Membership.JOIN),
    /** the client sets a leave through state PUT: leaving, kicking or lifting a ban, as the current membership has it */
    SET_LEAVE(Membership.LEAVE);

    public final Membership membership;

    MemberAction(Membership membership) {
        this.membership = membership;
    }

    /** Whether it brings somebody closer to the room, who is then shown there. */
    public boolean comesIn() {
        return membership == Membership.JOIN || membership == Membership.INVITE || membership == Membership.KNOCK;
    }
}
