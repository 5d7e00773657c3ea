// SPDX-License-Identifier: Apache-2.0
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
import rookery.room.table.StateKey;
import rookery.room.table.StoredEvent;

/**
 * Reads a room backwards from the end of the range until the timeline is full and the existence of further events is known.
 *
 * <p>A client takes a later event of the timeline for the newer value of state. So the timeline begins after an event whose
 * successor the reader may not see; the successor is in the state before the timeline.
 */
final class TimelineScan {
    static final List<String> NAMING = List.of(EventTypes.NAME, EventTypes.CANONICAL_ALIAS);

    private static final int SCAN_MAX = 5_000;
    /**
     * Bytes of a timeline without its last event; beyond, the timeline is limited. Twenty rooms with a hundred events of 60 kB
     * each would have 120 MB otherwise. The limit exceeds a sync node's memory of a room, so that both give the same timeline.
     */
    private static final int BYTES_MAX = 512 << 10;
    /** Bytes of log entries of one room in one read. */
    static final int READ_BYTES = 2 * BYTES_MAX;

    final CandidateRoom room;
    private final SyncRequest request;
    private final int limit;
    private final Deque<StoredEvent> timeline = new ArrayDeque<>();
    /** For each piece of state passed so far: whether the reader may see the newest value. */
    private final Map<StateKey, Boolean> newestVisible = new HashMap<>();

    private long place;
    private int scanned;
    private int bytes;
    private boolean exhausted;
    private boolean more;
    private boolean summaryChanged;
    private boolean hidState;
    private @Nullable StoredEvent newest;

    TimelineScan(CandidateRoom room, SyncRequest request) {
        this.room = room;
        this.request = request;
        this.limit = request.filter().timelineLimit();
        this.place = room.upto();
        this.exhausted = room.kind().isPreview(); // a preview has no timeline
    }

    Stretch rest() {
        return new Stretch(room.room(), room.timelineFrom(), place);
    }

    boolean isDone() {
        return exhausted || more || scanned >= SCAN_MAX;
    }

    int bytes() {
        return bytes;
    }

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
     * Shortens the timeline from its beginning.
     *
     * @param count the maximal number of events; the newest event stays in any case
     * @param bundled bundled relations of the events, which count as well
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

    /** The newest event of the range, in the timeline or not. */
    @Nullable
    StoredEvent newest() {
        return newest;
    }

    /** Whether state was set within the timeline's range but is not in the timeline. */
    boolean hasHiddenState() {
        return hidState;
    }

    /** Whether the reader may not see a newer value of the same piece of state. */
    private boolean isOutdated(StoredEvent event, boolean isVisible) {
        var meta = event.event().meta();
        var stateKey = meta.stateKey();
        return stateKey != null
                && Boolean.FALSE.equals(newestVisible.putIfAbsent(new StateKey(meta.type(), stateKey), isVisible));
    }

    private boolean isVisible(StoredEvent event) {
        boolean isOwnEnd = room.kind() == Section.Kind.LEAVE && event.pos() == room.upto();
        return (isOwnEnd || HistoryVisibility.isVisible(event.seen(), request.user(), room.history()))
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

    /** Whether visible events are missing between the client's position and the timeline. */
    boolean limited() {
        return more || (!exhausted && scanned >= SCAN_MAX);
    }

    /**
     * The position before the first event. For an empty timeline: the client's position, or the end of the range if the room is
     * new to the client or the timeline is limited.
     */
    long prevPos() {
        if (!timeline.isEmpty()) {
            return timeline.getFirst().pos() - 1;
        }
        return room.fresh() || limited() ? room.upto() : room.after();
    }

    /** The position of the response's state: the start of the timeline, or its end if the request asks for the end. */
    long stateAt() {
        return request.stateAfter() || timeline.isEmpty() ? room.upto() : prevPos();
    }

    /** Whether the summary may have changed within the scanned events. */
    boolean hasSummaryChanged() {
        return summaryChanged || room.fresh();
    }

    /** Whether the range has no events, so that the section can contain receipts only. */
    boolean isSilent() {
        return room.kind() == Section.Kind.JOIN && !room.fresh() && !request.fullState() && scanned == 0;
    }

    boolean isWhole() {
        return room.fresh() || request.fullState();
    }

    /** Whether the event may change the summary; a change of a member's profile does not. */
    private static boolean changesSummary(StoredEvent event) {
        var change = event.event().meta().membershipChange();
        return isOfSummary(event) && (change == null || change.before() != change.after());
    }

    /** Whether the summary depends on the event: memberships and the naming state. */
    static boolean isOfSummary(StoredEvent event) {
        var meta = event.event().meta();
        return meta.membership() != null || (meta.stateKey() != null && NAMING.contains(meta.type()));
    }

    static boolean isMember(StoredEvent event) {
        return event.event().meta().type().equals(EventTypes.MEMBER);
    }
}
