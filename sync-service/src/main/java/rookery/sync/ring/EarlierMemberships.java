// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.ArrayList;
import java.util.List;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;

/**
 * All memberships of a user before the current join, oldest first: enough to decide what the user may see of older state events,
 * by the same rules as room-service.
 */
public record EarlierMemberships(List<Change> changes) {
    /** No membership before the join. */
    public static final EarlierMemberships NONE = new EarlierMemberships(List.of());

    /** A membership in force from a position on. */
    public record Change(long from, Membership membership) {}

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public EarlierMemberships {
        changes = List.copyOf(changes);
    }

    /** The membership at a position before the join. */
    public Membership at(long pos) {
        var membership = Membership.LEAVE;
        for (var change : changes) {
            if (change.from > pos) {
                break;
            }
            membership = change.membership;
        }
        return membership;
    }

    public EarlierMemberships then(long from, Membership membership) {
        var more = new ArrayList<>(changes);
        more.add(new Change(from, membership));
        return new EarlierMemberships(more);
    }

    /** Whether the user, who has joined since, may see the state event that was replaced at an event. */
    boolean sawReplaced(EventMeta meta, UserId user) {
        var replaced = meta.replaces();
        if (replaced == null || isVisible(replaced.visibility(), at(replaced.pos()))) {
            return true;
        }
        boolean isOwn = meta.membership() != null && user.value().equals(meta.stateKey());
        return isOwn && isVisible(replaced.visibility(), at(replaced.pos() - 1));
    }

    private static boolean isVisible(String visibility, Membership membership) {
        return membership == Membership.JOIN
                || switch (visibility) {
                    case "joined" -> false;
                    case "invited" -> membership == Membership.INVITE;
                    default -> true; // world_readable; shared and unknown values show everything to a later member
                };
    }
}
