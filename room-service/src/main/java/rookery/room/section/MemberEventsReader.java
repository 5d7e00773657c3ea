// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.log.append.LogEntries;
import rookery.room.section.RoomStates.RoomPosition;
import rookery.room.section.RoomStates.StatePiece;
import rookery.room.table.StoredEvent;

/** Reads member events that sync nodes keep for all readers of a room: nothing here depends on a reader. */
@Component
class MemberEventsReader {
    private final LogEntries log;
    private final RoomStates states;
    private final Snapshots snapshots;

    MemberEventsReader(LogEntries log, RoomStates states, Snapshots snapshots) {
        this.log = log;
        this.states = states;
        this.snapshots = snapshots;
    }

    /** A user whose member event is in force at a position of the room. */
    record WantedMember(RoomId room, int shard, UserId user, long place) {}

    /** Member events by room, and the epoch of the log. */
    record MemberEvents(long epoch, Map<RoomId, List<StoredEvent>> byRoom) {}

    Mono<MemberEvents> read(TenantId tenant, List<WantedMember> members) {
        var pieces = members.stream()
                .map(member -> new StatePiece(
                        new RoomPosition(member.room, member.shard, member.place),
                        EventTypes.MEMBER,
                        member.user.value()))
                .toList();
        return log.heads()
                .flatMap(
                        heads -> states.piecesAt(tenant, pieces).map(events -> new MemberEvents(heads.epoch(), events)))
                .as(snapshots::of);
    }
}
