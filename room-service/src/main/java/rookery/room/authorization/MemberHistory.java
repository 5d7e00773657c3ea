// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.List;
import rookery.model.event.Membership;

/**
 * All memberships of one user in one room, by position.
 *
 * @param spans oldest first; each lasts until the next span begins
 */
public record MemberHistory(List<Span> spans) {
    public static final MemberHistory NEVER = new MemberHistory(List.of());

    /** A membership in force from the position of the member event on. */
    public record Span(long from, Membership membership) {}

    /** Whether a user with the membership is joined, invited or knocking. */
    public static boolean isInside(Membership membership) {
        return membership != Membership.LEAVE && membership != Membership.BAN;
    }

    /** The membership after the entry at the position. */
    public Membership at(long pos) {
        var membership = Membership.LEAVE;
        for (var span : spans) {
            if (span.from > pos) {
                break;
            }
            membership = span.membership;
        }
        return membership;
    }

    public Membership now() {
        return at(Long.MAX_VALUE);
    }

    public boolean wasEverJoined() {
        return spans.stream().anyMatch(span -> span.membership == Membership.JOIN);
    }

    /** Whether the user joined at or before the position. */
    public boolean wasJoinedBy(long pos) {
        return spans.stream().anyMatch(span -> span.from <= pos && span.membership == Membership.JOIN);
    }

    boolean joinedAfter(long pos) {
        return spans.stream().anyMatch(span -> span.from > pos && span.membership == Membership.JOIN);
    }

    /** The history as of the position, without later spans. */
    public MemberHistory upTo(long pos) {
        return new MemberHistory(spans.stream().filter(span -> span.from <= pos).toList());
    }

    /** The beginning of the current uninterrupted join, which changes of the profile do not interrupt; -1 without a join. */
    public long joinedFrom() {
        long from = -1;
        for (var span : spans) {
            if (span.membership != Membership.JOIN) {
                from = -1;
            } else if (from < 0) {
                from = span.from;
            }
        }
        return from;
    }

    /**
     * The position of the last leave after a join, also before a later ban or invitation; -1 for a user who is joined or
     * never was.
     */
    public long leftAt() {
        long left = -1;
        boolean inside = false;
        for (var span : spans) {
            boolean joined = span.membership == Membership.JOIN;
            if (joined) {
                left = -1;
            } else if (inside) {
                left = span.from;
            }
            inside = joined;
        }
        return left;
    }
}
