// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;

/**
 * The stretches of a room in which one reader may see events. Events outside are hidden and need not be read; events
 * inside are still checked by {@link HistoryVisibility}. Pure.
 *
 * @param stretches oldest first, disjoint
 */
public record VisiblePlaces(List<Stretch> stretches) {
    public static final VisiblePlaces NONE = new VisiblePlaces(List.of());

    /** A range of positions, both ends included. */
    public record Stretch(long first, long last) {}

    /** A history visibility in force from the position of the event that set the value. */
    public record Change(long from, String visibility) {}

    /**
     * The stretches that the history visibility and the reader's memberships leave visible.
     *
     * @param changes oldest first; without all changes, events before the first given change count as visible
     * @param isWhole whether all changes of the room are given
     */
    public static VisiblePlaces of(UserId reader, MemberHistory history, List<Change> changes, boolean isWhole) {
        var turns = new TreeSet<Long>();
        history.spans().forEach(span -> turns.add(span.from()));
        changes.forEach(change -> turns.add(change.from()));
        var visible = new StretchCollector();
        long next = 1;
        if (!isWhole && !changes.isEmpty()) {
            next = changes.getFirst().from() + 1;
            visible.add(1, next - 1);
        }
        for (long turn : turns.tailSet(next)) {
            visible.addIf(isVisible(seen(next, changes), reader, history), next, turn - 1);
            visible.addIf(isVisible(seenAtTurn(turn, reader, history, changes), reader, history), turn, turn);
            next = turn + 1;
        }
        visible.addIf(isVisible(seen(next, changes), reader, history), next, Long.MAX_VALUE);
        return new VisiblePlaces(visible.stretches);
    }

    private static boolean isVisible(VisibilityFacts event, UserId reader, MemberHistory history) {
        return HistoryVisibility.isVisible(event, reader, history);
    }

    private static VisibilityFacts seen(long pos, List<Change> changes) {
        return new VisibilityFacts(pos, visibility(pos, changes), null, null);
    }

    /** The event at a turn may have caused the turn, and such an event is visible under either of two rules. */
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

    /** The stretch with the newest visible position at or below a position, cut off there; null without such a stretch. */
    public @Nullable Stretch atOrBelow(long pos) {
        for (var stretch : stretches.reversed()) {
            if (stretch.first <= pos) {
                return new Stretch(stretch.first, Math.min(pos, stretch.last));
            }
        }
        return null;
    }

    /** The stretch with the oldest visible position at or above a position, beginning there; null without such a stretch. */
    public @Nullable Stretch atOrAbove(long pos) {
        for (var stretch : stretches) {
            if (stretch.last >= pos) {
                return new Stretch(Math.max(pos, stretch.first), stretch.last);
            }
        }
        return null;
    }

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
