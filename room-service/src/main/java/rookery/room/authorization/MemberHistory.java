package rookery.room.authorization;

import java.util.List;
import rookery.model.event.Membership;

/**
 * What one user has been to one room, over time.
 *
 * @param spans oldest first; each holds from its position until the next one's
 */
public record MemberHistory(List<Span> spans) {
    public static final MemberHistory NEVER = new MemberHistory(List.of());

    /** From this position on (the position of the member event) the user was this to the room. */
    public record Span(long from, Membership membership) {}

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

    /** Whether the user had been in the room by the position. */
    public boolean wasJoinedBy(long pos) {
        return spans.stream().anyMatch(span -> span.from <= pos && span.membership == Membership.JOIN);
    }

    /** Whether the user joined at some time after the position. */
    boolean joinedAfter(long pos) {
        return spans.stream().anyMatch(span -> span.from > pos && span.membership == Membership.JOIN);
    }

    /** The same history as it was known at the position: what came later had not happened. */
    public MemberHistory upTo(long pos) {
        return new MemberHistory(spans.stream().filter(span -> span.from <= pos).toList());
    }

    /** Where the current uninterrupted join began; profile changes do not interrupt it. -1 if the user is not joined. */
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

    /** Where the user went out of the room for the last time, whatever came after; -1 if they are in it, or never were. */
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
