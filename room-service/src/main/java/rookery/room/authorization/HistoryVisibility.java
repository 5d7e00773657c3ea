// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;

/** Decides which events of a room a user may see (contract.md 9.8); every read of events calls this function. Pure. */
public final class HistoryVisibility {
    public static final String WORLD_READABLE = "world_readable";
    public static final String SHARED = "shared";
    public static final String INVITED = "invited";
    public static final String JOINED = "joined";
    static final Set<String> WORDS = Set.of(WORLD_READABLE, SHARED, INVITED, JOINED);

    private HistoryVisibility() {}

    /**
     * The facts of an event that decide about visibility.
     *
     * @param visibility the history visibility in force after the event
     * @param visibilityBefore for a change of the history visibility: the value before the event
     * @param member for a member event: the user whose membership the event sets
     */
    public record VisibilityFacts(
            long pos,
            String visibility,
            @Nullable String visibilityBefore,
            @Nullable String member) {}

    public static boolean isVisible(VisibilityFacts event, UserId reader, MemberHistory history) {
        var after = history.at(event.pos);
        boolean visible = isVisible(event.visibility, after, event.pos, history);
        if (!visible && event.visibilityBefore != null) {
            visible = isVisible(event.visibilityBefore, after, event.pos, history);
        }
        if (!visible && reader.value().equals(event.member)) {
            visible = isVisible(event.visibility, history.at(event.pos - 1), event.pos, history);
        }
        return visible;
    }

    private static boolean isVisible(String visibility, Membership membership, long pos, MemberHistory history) {
        if (membership == Membership.JOIN) {
            return true;
        }
        return switch (visibility) {
            case WORLD_READABLE -> true;
            case INVITED -> membership == Membership.INVITE && history.joinedAfter(pos);
            case JOINED -> false;
            default -> history.joinedAfter(pos); // shared, and every unknown value
        };
    }
}
