// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import rookery.model.event.Membership;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;

/** A scripted room: its events, and the memberships over time. */
final class ScriptedRoom {
    record Entry(long pos, EventAppended event) {}

    final TenantId tenant;
    final int shard;
    final List<Entry> entries = new ArrayList<>();

    ScriptedRoom(TenantId tenant, int shard) {
        this.tenant = tenant;
        this.shard = shard;
    }

    Membership membership(UserId user, long upto) {
        var current = Membership.LEAVE;
        for (var entry : entries) {
            if (entry.pos <= upto && isAbout(entry, user)) {
                current = Objects.requireNonNull(entry.event.meta().membership());
            }
        }
        return current;
    }

    /** The memberships of all users that ever had one, by user id. */
    Map<String, Membership> memberships(long upto) {
        var memberships = new HashMap<String, Membership>();
        for (var entry : entries) {
            var meta = entry.event.meta();
            if (entry.pos <= upto && meta.membership() != null) {
                memberships.put(Objects.requireNonNull(meta.stateKey()), meta.membership());
            }
        }
        return memberships;
    }

    private static boolean isAbout(Entry entry, UserId user) {
        return entry.event.meta().membership() != null
                && user.value().equals(entry.event.meta().stateKey());
    }

    long memberPos(UserId user, long upto) {
        return entries.stream()
                .filter(entry -> entry.pos <= upto && isAbout(entry, user))
                .mapToLong(Entry::pos)
                .max()
                .orElse(0);
    }

    /** The changes of a joined user's membership before the current join, as room-service reports them. */
    List<Map<String, Object>> earlier(UserId user) {
        long joinedFrom = joinedFrom(user, Long.MAX_VALUE);
        return entries.stream()
                .filter(entry -> entry.pos < joinedFrom && isAbout(entry, user))
                .map(entry -> Map.<String, Object>of(
                        "from",
                        entry.pos,
                        "membership",
                        Objects.requireNonNull(entry.event.meta().membership()).word))
                .toList();
    }

    long joinedFrom(UserId user, long upto) {
        long from = 0;
        for (var entry : entries) {
            var change = entry.event.meta().membershipChange();
            if (entry.pos <= upto && isAbout(entry, user) && change != null && change.before() != Membership.JOIN) {
                from = entry.pos;
            }
        }
        return from;
    }

    Set<UserId> members(Membership membership) {
        var members = new LinkedHashSet<UserId>();
        for (var entry : entries) {
            if (entry.event.meta().membership() != null) {
                var user = new UserId(Objects.requireNonNull(entry.event.meta().stateKey()));
                if (entry.event.meta().membership() == membership) {
                    members.add(user); // a new display name does not move the member
                } else {
                    members.remove(user);
                }
            }
        }
        return members;
    }
}
