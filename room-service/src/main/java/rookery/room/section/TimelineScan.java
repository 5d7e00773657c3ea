package rookery.room.section;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.platform.http.PageBytes;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.section.SectionRows.NewestEvents;
import rookery.room.section.SectionRows.Stretch;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader;

/**
 * Walks a room backwards from the end of the range until the timeline is full and it is known whether more would follow.
 *
 * <p>A client takes a later event of the timeline for the newer value. So the timeline begins after an event that shows a value
 * whose successor the reader may not see: that successor is in the state before the timeline.
 */
final class TimelineScan {
    /** What gives a room a name. */
    static final List<String> NAMING = List.of(EventTypes.NAME, EventTypes.CANONICAL_ALIAS);

    private static final int SCAN_MAX = 5_000;
    /**
     * Of the events of one timeline, but for the last: beyond it, it is limited. Twenty rooms with a hundred events of 60 kB each would
     * be 120 MB otherwise. More than a sync node holds of a room, so that what it tells from memory is the same.
     */
    private static final int BYTES_MAX = 512 << 10;
    /** The entries of the log that are read at once, of one room. */
    static final int READ_BYTES = 2 * BYTES_MAX;

    final Candidate room;
    private final SyncRequest request;
    private final int limit;
    private final Deque<StoredEvent> timeline = new ArrayDeque<>();
    /** Whether the reader may see the newest value of a piece of state, of those that were walked past. */
    private final Map<Key, Boolean> newestVisible = new HashMap<>();

    private long place;
    private int scanned;
    private int bytes;
    private boolean exhausted;
    private boolean more;
    private boolean summaryChanged;
    private boolean hidState;
    private @Nullable StoredEvent newest;

    private record Key(String type, String stateKey) {}

    TimelineScan(Candidate room, SyncRequest request) {
        this.room = room;
        this.request = request;
        this.limit = request.filter().timelineLimit();
        this.place = room.upto();
        this.exhausted = room.kind().isPreview(); // it has no timeline
    }

    /** What is still to be looked through. */
    Stretch rest() {
        return new Stretch(room.room(), room.timelineFrom(), place);
    }

    boolean isDone() {
        return exhausted || more || scanned >= SCAN_MAX;
    }

    /** Of the timeline. */
    int bytes() {
        return bytes;
    }

    /** Takes the next events. */
    void take(NewestEvents read) {
        var events = read.events();
        exhausted = read.last();
        if (newest == null && !events.isEmpty()) {
            newest = events.getFirst();
        }
        for (var event : events) {
            scanned++;
            summaryChanged |= changesSummary(event) && event.pos() > room.after();
            boolean isVisible = isVisible(event);
            boolean isOutdated = isOutdated(event, isVisible);
            if (isVisible && isWanted(event)) {
                if (timeline.size() == limit || isOutdated || bytes >= BYTES_MAX) {
                    more = true;
                    return;
                }
                timeline.addFirst(event);
                bytes += bytes(event);
            } else {
                hidState |= event.event().meta().stateKey() != null;
            }
            place = event.pos() - 1;
        }
    }

    /**
     * Begins the timeline with later events than it does.
     *
     * @param count how many events may stay at most; the newest stays
     * @param bundled what is told with the events, which counts as well
     */
    void keepNewest(int count, Map<EventId, String> bundled) {
        int kept = 0;
        long sum = 0;
        for (var event : timeline().reversed()) {
            if (kept == count || sum >= PageBytes.PAGE_MAX) {
                break;
            }
            kept++;
            sum += bytes(event)
                    + bundled.getOrDefault(event.event().meta().eventId(), "").length();
        }
        while (timeline.size() > Math.max(kept, 1)) {
            place = timeline.removeFirst().pos();
            more = true;
        }
    }

    private static int bytes(StoredEvent event) {
        return event.event().eventJson().length();
    }

    /** The newest event that was seen, shown or not. */
    @Nullable
    StoredEvent newest() {
        return newest;
    }

    /** Whether state was set that the timeline does not show, after the timeline's start. */
    boolean hasHiddenState() {
        return hidState;
    }

    /** Whether a newer value of the same piece of state is hidden from the reader. */
    private boolean isOutdated(StoredEvent event, boolean isVisible) {
        var meta = event.event().meta();
        var stateKey = meta.stateKey();
        return stateKey != null
                && Boolean.FALSE.equals(newestVisible.putIfAbsent(new Key(meta.type(), stateKey), isVisible));
    }

    private boolean isVisible(StoredEvent event) {
        boolean isOwnEnd = room.kind() == Section.Kind.LEAVE && event.pos() == room.upto();
        return (isOwnEnd || HistoryVisibility.isVisible(RoomReader.seen(event), request.user(), room.history()))
                && (isOwnEnd || !room.kind().equals(Section.Kind.LEAVE) || room.wasEverJoined());
    }

    private boolean isWanted(StoredEvent event) {
        var meta = event.event().meta();
        return passesFilter(event)
                && !(meta.stateKey() == null && request.ignored().contains(meta.sender()));
    }

    private boolean passesFilter(StoredEvent event) {
        var meta = event.event().meta();
        var filter = request.filter().timeline();
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
        return room.fresh() || limited() ? room.upto() : room.after();
    }

    /** The place at which the state is told: at the start of the timeline, or at its end if that was asked for. */
    long stateAt() {
        return request.stateAfter() || timeline.isEmpty() ? room.upto() : prevPos();
    }

    /** As far as the scan went. */
    boolean hasSummaryChanged() {
        return summaryChanged || room.fresh();
    }

    /** Whether nothing is told of the room unless something else than its events changed. */
    boolean isSilent() {
        return room.kind() == Section.Kind.JOIN && !room.fresh() && !request.fullState() && scanned == 0;
    }

    /** Whether all of the state is told, and not what changed. */
    boolean isWhole() {
        return room.fresh() || request.fullState();
    }

    /** Whether the room's summary may be another one since: not by a member who only shows another name. */
    private static boolean changesSummary(StoredEvent event) {
        var change = event.event().meta().membershipChange();
        return isOfSummary(event) && (change == null || change.before() != change.after());
    }

    /** Whether the room's summary hangs on it: who is in the room, and what it is called. */
    static boolean isOfSummary(StoredEvent event) {
        var meta = event.event().meta();
        return meta.membership() != null || (meta.stateKey() != null && NAMING.contains(meta.type()));
    }

    static boolean isMember(StoredEvent event) {
        return event.event().meta().type().equals(EventTypes.MEMBER);
    }
}
