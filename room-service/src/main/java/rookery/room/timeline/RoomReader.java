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
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import rookery.room.authorization.MemberHistory;
import rookery.room.table.StoredEvent;

/** Who may read a room at all, and up to where; a room one may not see and a room that does not exist answer the same. */
@Component
public class RoomReader {
    private final StateRows states;
    private final LogEntries log;

    RoomReader(StateRows states, LogEntries log) {
        this.states = states;
        this.log = log;
    }

    /**
     * A reader of a room, as of the moment of asking.
     *
     * @param head the newest position of the room's shard
     * @param worldReadable whether anybody may read what happens now
     * @param earlier how far places of earlier epochs are what they were
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
        /** Of somebody who holds no places of earlier epochs. */
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

        ReaderInRoom after(EarlierEpochs others) {
            return new ReaderInRoom(room, shard, epoch, head, user, history, worldReadable, others);
        }

        /**
         * The position that a token names.
         *
         * @param lost what a place means that was lost with the epoch it is of
         */
        long pos(PageToken place, long lost) {
            boolean isPlace = place.epoch() == epoch || earlier.hold(place.epoch(), shard, place.pos());
            return isPlace ? Math.min(place.pos(), head) : lost;
        }

        public boolean isJoined() {
            return history.now() == Membership.JOIN;
        }

        /** The state that this reader sees: now, or as it was when they left, whatever they became later. */
        public long statePos() {
            return isJoined() || worldReadable ? head : history.leftAt();
        }

        /** What {@link HistoryVisibility} says of this event for this reader. */
        public boolean sees(StoredEvent event) {
            return HistoryVisibility.isVisible(event.seen(), user, history);
        }
    }

    /** Of an event, what its visibility hangs on. */
    public static VisibilityFacts seen(StoredEvent event) {
        return event.seen();
    }

    /** M_FORBIDDEN unless the caller was in the room once and has not forgotten it, or it is world readable. */
    public Mono<ReaderInRoom> reading(Caller caller, RoomId room) {
        return states.reading(new TenantRoom(caller.tenant(), room), caller.user())
                .filter(reading -> reading.worldReadable() || reading.history().wasEverJoined())
                .switchIfEmpty(Mono.error(RoomReader::refused))
                .flatMap(reading -> log.earlier(reading.epoch()).map(reading::after));
    }

    /** Whoever the user is to the room; empty if there is no such room. For other services, not for clients. */
    public Mono<ReaderInRoom> anyReading(TenantRoom room, UserId user) {
        return states.reading(room, user);
    }

    /** M_FORBIDDEN unless the caller is in the room now. */
    public Mono<ReaderInRoom> member(Caller caller, RoomId room) {
        return reading(caller, room).filter(ReaderInRoom::isJoined).switchIfEmpty(Mono.error(RoomReader::refused));
    }

    private static ApiException refused() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
    }
}
