package rookery.room.section;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import rookery.model.event.EventTypes;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.roomlog.StoredEvent;
import rookery.room.timeline.RoomReader;

/** Walks a room backwards from the end of the range until the timeline is full and it is known whether more would follow. */
final class TimelineScan {
    private static final int SCAN_MAX = 5_000;

    final Candidate room;
    private final SyncRequest request;
    private final int limit;
    private final Deque<StoredEvent> timeline = new ArrayDeque<>();
    private long place;
    private int scanned;
    private boolean exhausted;
    private boolean more;
    private boolean hidesState;

    TimelineScan(Candidate room, SyncRequest request) {
        this.room = room;
        this.request = request;
        this.limit = request.filter().timelineLimit();
        this.place = room.upto();
    }

    /** The next events are wanted at or below this position. */
    long place() {
        return place;
    }

    boolean isDone() {
        return exhausted || more || scanned >= SCAN_MAX;
    }

    /** Takes the next events, newest first; fewer than were asked for means that there are no others. */
    void take(List<StoredEvent> events, int asked) {
        exhausted = events.size() < asked;
        for (var event : events) {
            scanned++;
            if (isShown(event)) {
                if (timeline.size() == limit) {
                    more = true;
                    return;
                }
                timeline.addFirst(event);
            } else {
                hidesState |= event.event().meta().stateKey() != null;
            }
            place = event.pos() - 1;
        }
    }

    private boolean isShown(StoredEvent event) {
        var meta = event.event().meta();
        boolean isOwnEnd = room.kind() == Section.Kind.LEAVE && event.pos() == room.upto();
        return (isOwnEnd || HistoryVisibility.isVisible(RoomReader.seen(event), request.user(), room.history()))
                && (isOwnEnd || !room.kind().equals(Section.Kind.LEAVE) || room.wasEverJoined())
                && passesFilter(event)
                && !(meta.stateKey() == null && request.ignored().contains(meta.sender()));
    }

    boolean passesFilter(StoredEvent event) {
        var meta = event.event().meta();
        var filter = request.filter().timeline();
        return filter.passesRoom(room.room()) && filter.passes(meta.type(), meta.sender(), meta.url());
    }

    boolean passesStateFilter(StoredEvent event) {
        var meta = event.event().meta();
        var filter = request.filter().state();
        return filter.passesRoom(room.room()) && filter.passes(meta.type(), meta.sender(), meta.url());
    }

    List<StoredEvent> timeline() {
        return List.copyOf(timeline);
    }

    /** Whether visible events lie between what the client has had and the first one here. */
    boolean limited() {
        return more || (!exhausted && scanned >= SCAN_MAX);
    }

    /** The place before the first event; where the client stood, or the end of the range, when there is none. */
    long prevPos() {
        if (!timeline.isEmpty()) {
            return timeline.getFirst().pos() - 1;
        }
        return room.fresh() ? room.upto() : room.after();
    }

    /** Whether state was scanned that the timeline does not show: it was filtered out, or happened while the reader was away. */
    boolean hidesState() {
        return hidesState;
    }

    /** Whether anything happened in the range at all, shown or not. */
    boolean sawAnything() {
        return scanned > 0;
    }

    static boolean isMember(StoredEvent event) {
        return event.event().meta().type().equals(EventTypes.MEMBER);
    }
}
