// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import rookery.room.section.SectionRows.KnownRoom;

/** Reads the rooms that a user is joined to, invited to, knocking at, or has left recently, and the positions of that state. */
@Component
class MembershipReader {
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

    record Member(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Membership membership,
            long pos,
            @JsonProperty("joined_from") long joinedFrom) {}

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
                history.joinedFrom());
    }
}
