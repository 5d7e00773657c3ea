package rookery.room.authorization;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;

/**
 * Where in a room one reader may see anything: what lies outside is hidden, so nobody needs to look there. Inside, {@link
 * HistoryVisibility} still has the last word. Pure.
 *
 * @param stretches oldest first, apart from each other
 */
public record VisiblePlaces(List<Stretch> stretches) {
    /** For whoever sees nothing. */
    public static final VisiblePlaces NONE = new VisiblePlaces(List.of());

    /** The positions from the first to the last one. */
    public record Stretch(long first, long last) {}

    /** From this position on (the position of the event that set it) the room had this history visibility. */
    public record Change(long from, String visibility) {}

    /**
     * What the history visibility and the reader's membership leave to see.
     *
     * @param changes oldest first; what was before the first one is not hidden by its visibility if some are missing
     * @param isWhole whether these are all changes there were
     */
    public static VisiblePlaces of(UserId reader, MemberHistory history, List<Change> changes, boolean isWhole) {
        var turns = new TreeSet<Long>();
        history.spans().forEach(span -> turns.add(span.from()));
        changes.forEach(change -> turns.add(change.from()));
        var found = new StretchCollector();
        long next = 1;
        if (!isWhole && !changes.isEmpty()) {
            next = changes.getFirst().from() + 1;
            found.add(1, next - 1);
        }
        for (long turn : turns.tailSet(next)) {
            found.addIf(isVisible(seen(next, changes), reader, history), next, turn - 1);
            found.addIf(isVisible(seenAtTurn(turn, reader, history, changes), reader, history), turn, turn);
            next = turn + 1;
        }
        found.addIf(isVisible(seen(next, changes), reader, history), next, Long.MAX_VALUE);
        return new VisiblePlaces(found.stretches);
    }

    private static boolean isVisible(VisibilityFacts event, UserId reader, MemberHistory history) {
        return HistoryVisibility.isVisible(event, reader, history);
    }

    private static VisibilityFacts seen(long pos, List<Change> changes) {
        return new VisibilityFacts(pos, visibility(pos, changes), null, null);
    }

    /** The event at a turn may be the one that made it, and such events are visible under more than one rule. */
    private static VisibilityFacts seenAtTurn(long pos, UserId reader, MemberHistory history, List<Change> changes) {
        boolean isChange = changes.stream().anyMatch(change -> change.from == pos);
        boolean isOwn = history.spans().stream().anyMatch(span -> span.from() == pos);
        @Nullable String before = isChange ? visibility(pos - 1, changes) : null;
        return new VisibilityFacts(pos, visibility(pos, changes), before, isOwn ? reader.value() : null);
    }

    private static String visibility(long pos, List<Change> changes) {
        String visibility = HistoryVisibility.SHARED;
        for (var change : changes) {
            if (change.from > pos) {
                break;
            }
            visibility = change.visibility;
        }
        return visibility;
    }

    /** The stretch that holds the newest visible place at or below a position, up to that position; null if there is none. */
    public @Nullable Stretch atOrBelow(long pos) {
        for (var stretch : stretches.reversed()) {
            if (stretch.first <= pos) {
                return new Stretch(stretch.first, Math.min(pos, stretch.last));
            }
        }
        return null;
    }

    /** The stretch that holds the oldest visible place at or above a position, from that position on; null if there is none. */
    public @Nullable Stretch atOrAbove(long pos) {
        for (var stretch : stretches) {
            if (stretch.last >= pos) {
                return new Stretch(Math.max(pos, stretch.first), stretch.last);
            }
        }
        return null;
    }

    /** Whether something at the position may be visible. */
    public boolean hold(long pos) {
        return stretches.stream().anyMatch(stretch -> stretch.first <= pos && pos <= stretch.last);
    }

    private static final class StretchCollector {
        private final List<Stretch> stretches = new ArrayList<>();

        void addIf(boolean visible, long first, long last) {
            if (visible) {
                add(first, last);
            }
        }

        void add(long first, long last) {
            if (first > last) {
                return;
            }
            if (!stretches.isEmpty() && stretches.getLast().last == first - 1) {
                first = stretches.removeLast().first;
            }
            stretches.add(new Stretch(first, last));
        }
    }
}
