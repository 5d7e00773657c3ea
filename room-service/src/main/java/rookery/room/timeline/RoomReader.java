// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.token.PageToken;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.LogEntries;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.MemberHistory;
import rookery.room.table.StoredEvent;

/** Checks who may read a room, and up to which position. An invisible room and an unknown room get the same answer. */
@Component
public class RoomReader {
    private final StateRows states;
    private final LogEntries log;

    RoomReader(StateRows states, LogEntries log) {
        this.states = states;
        this.log = log;
    }

    /**
     * A reader of a room at the time of the request.
     *
     * @param head newest position of the room's shard
     * @param worldReadable whether the current history visibility is {@code world_readable}
     * @param earlier which positions of earlier epochs are still valid
     */
    public record ReaderInRoom(
            TenantRoom room,
            int shard,
            long epoch,
            long head,
            UserId user,
            MemberHistory history,
            boolean worldReadable,
            EarlierEpochs earlier) {
        /** A reader without tokens of earlier epochs. */
        public ReaderInRoom(
                TenantRoom room,
                int shard,
                long epoch,
                long head,
                UserId user,
                MemberHistory history,
                boolean worldReadable) {
            this(room, shard, epoch, head, user, history, worldReadable, EarlierEpochs.NONE);
        }

        public ReaderInRoom asWorldReadable() {
            return new ReaderInRoom(room, shard, epoch, head, user, history, true, earlier);
        }

        ReaderInRoom after(EarlierEpochs others) {
            return new ReaderInRoom(room, shard, epoch, head, user, history, worldReadable, others);
        }

        /** The position of a token, at most the head; {@code lost} for a position that was lost with its epoch. */
        long pos(PageToken place, long lost) {
            boolean isPlace = place.epoch() == epoch || earlier.hold(place.epoch(), shard, place.pos());
            return isPlace ? Math.min(place.pos(), head) : lost;
        }

        public boolean isJoined() {
            return history.now() == Membership.JOIN;
        }

        /**
         * The position of the state visible to the reader: the head, or the position at which the reader left, regardless of
         * later membership changes.
         */
        public long statePos() {
            return isJoined() || worldReadable ? head : history.leftAt();
        }

        /** Whether {@link HistoryVisibility} shows the event to this reader. */
        public boolean sees(StoredEvent event) {
            return HistoryVisibility.isVisible(event.seen(), user, history);
        }
    }

    /** M_FORBIDDEN unless the room is world-readable, or the caller was once in the room and has not forgotten the room. */
    public Mono<ReaderInRoom> reading(Caller caller, RoomId room) {
        return states.reading(new TenantRoom(caller.tenant(), room), caller.user())
                .filter(reading -> reading.worldReadable() || reading.history().wasEverJoined())
                .switchIfEmpty(Mono.error(RoomReader::refused))
                .flatMap(reading -> log.earlier(reading.epoch()).map(reading::after));
    }

    /** The reader without a check of access; empty for an unknown room. */
    public Mono<ReaderInRoom> anyReading(TenantRoom room, UserId user) {
        return states.reading(room, user);
    }

    /** M_FORBIDDEN unless the caller is joined to the room. */
    public Mono<ReaderInRoom> member(Caller caller, RoomId room) {
        return reading(caller, room).filter(ReaderInRoom::isJoined).switchIfEmpty(Mono.error(RoomReader::refused));
    }

    private static ApiException refused() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
    }
}
