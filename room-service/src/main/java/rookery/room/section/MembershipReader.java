// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogEntries;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.MemberHistory.Span;
import rookery.room.section.SectionRows.KnownRoom;

/** Reads the rooms that a user is joined to, invited to, knocking at, or has left recently, and the positions of that state. */
@Component
class MembershipReader {
    private static final int EARLIER_MAX = 8;

    private final LogEntries log;
    private final SectionRows rows;
    private final Snapshots snapshots;

    MembershipReader(LogEntries log, SectionRows rows, Snapshots snapshots) {
        this.log = log;
        this.rows = rows;
        this.snapshots = snapshots;
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, written once
    record Memberships(long epoch, long[] positions, List<Member> rooms) {}

    /** @param earlier for a joined user the memberships before {@code joined_from}; absent if there are more than a few */
    record Member(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Membership membership,
            long pos,
            @JsonProperty("joined_from") long joinedFrom,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<Span> earlier) {}

    /** @param after positions after which left rooms are included; null for no left rooms */
    Mono<Memberships> read(TenantId tenant, UserId user, @Nullable Positions after) {
        var request = SyncRequest.ofEverything(tenant, user);
        return log.heads()
                .flatMap(heads -> rows.memberships(request).map(memberships -> memberships(heads, memberships, after)))
                .as(snapshots::of);
    }

    private static Memberships memberships(Heads heads, List<KnownRoom> memberships, @Nullable Positions after) {
        var rooms = memberships.stream()
                .map(MembershipReader::member)
                .filter(member -> MemberHistory.isInside(member.membership)
                        || (after != null && member.pos > after.at(member.shard)))
                .toList();
        return new Memberships(heads.epoch(), heads.positions().toArray(), rooms);
    }

    private static Member member(KnownRoom room) {
        var history = room.history();
        return new Member(
                room.room(),
                room.shard(),
                history.now(),
                history.spans().getLast().from(),
                history.joinedFrom(),
                history.now() == Membership.JOIN ? earlier(history) : null);
    }

    /** The changes of membership before the current join. */
    private static @Nullable List<Span> earlier(MemberHistory history) {
        var earlier = new ArrayList<Span>();
        var before = Membership.LEAVE;
        for (var span : history.spans()) {
            if (span.from() >= history.joinedFrom()) {
                break;
            }
            if (span.membership() != before) {
                earlier.add(span);
                before = span.membership();
            }
        }
        return earlier.size() > EARLIER_MAX ? null : earlier;
    }
}
