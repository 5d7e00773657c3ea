package rookery.sync.typing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/**
 * Who types in each room, with deadlines, and how that was a moment ago: a reader's token says up to which change they were told.
 *
 * <p>Deadlines are counted on this node's own monotonic clock, so that nobody types for ever because of a clock that is wrong.
 */
@Component
public class TypingSets {
    /** Where a reader stands whom nobody here has told anything. */
    public static final long UNKNOWN = -1;

    /** Of those who type at once, clients are told the ones who began first: nobody can look at more. */
    static final int SHOWN_MAX = 50;

    private static final int HISTORY_MAX = 20;
    /** For so long it is known who typed when. */
    private static final long HISTORY_NANOS = Duration.ofMinutes(2).toNanos();
    /** For so long it is known that somebody has typed: who saw them and was away meanwhile is told that nobody does. */
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

    private final Map<TenantRoom, State> rooms = new HashMap<>();
    private final TypingStops stops = new TypingStops(HISTORY_NANOS);
    private long serial;

    /** @param pos what they did in the room after this has ended it */
    private record Typist(long pos, long deadlineNanos) {}

    private record ShownTyping(long serial, List<UserId> users, long nanos) {}

    private static final class State {
        /** In the order in which they began. */
        final Map<UserId, Typist> typists = new LinkedHashMap<>();

        final ArrayDeque<ShownTyping> history = new ArrayDeque<>();
        boolean cut;

        void keepLast() {
            var last = history.getLast();
            history.clear();
            history.add(last);
            cut = true;
        }
    }

    /**
     * The user types, or goes on typing, for at most so long. Returns whether that changes what readers see.
     *
     * @param ts when they said so, in milliseconds since the epoch
     */
    public synchronized boolean start(TenantRoom room, UserId user, long pos, long ts, long leftNanos, long nanos) {
        if (leftNanos <= 0 || stops.isBeforeStop(room, user, ts)) {
            return false;
        }
        var state = rooms.computeIfAbsent(room, _ -> new State());
        state.typists.put(user, new Typist(pos, nanos + leftNanos));
        return changed(state, nanos);
    }

    /** The user said at that time that they have stopped. */
    public synchronized boolean stop(TenantRoom room, UserId user, long ts, long nanos) {
        stops.add(room, user, ts, nanos);
        return ended(room, user, nanos);
    }

    private boolean ended(TenantRoom room, UserId user, long nanos) {
        var state = rooms.get(room);
        return state != null && state.typists.remove(user) != null && changed(state, nanos);
    }

    /** The user did something at this position that ends the typing from before. */
    public synchronized boolean end(TenantRoom room, UserId user, long pos, long nanos) {
        var state = rooms.get(room);
        var typist = state == null ? null : state.typists.get(user);
        return typist != null && typist.pos < pos && ended(room, user, nanos);
    }

    /** Ends what is over by now, and forgets rooms in which nobody has typed for long. Returns where readers see a change. */
    public synchronized List<TenantRoom> expire(long nanos) {
        var changed = new ArrayList<TenantRoom>();
        rooms.forEach((room, state) -> {
            boolean ended = state.typists.values().removeIf(typist -> typist.deadlineNanos - nanos <= 0);
            if (ended && changed(state, nanos)) {
                changed.add(room);
            }
            if (state.history.size() > 1 && isQuiet(state, nanos, HISTORY_NANOS)) {
                state.keepLast();
            }
        });
        rooms.values().removeIf(state -> isQuiet(state, nanos, REMEMBERED_NANOS));
        stops.forget(nanos);
        return changed;
    }

    private static boolean isQuiet(State state, long nanos, long sinceNanos) {
        return state.typists.isEmpty()
                && (state.history.isEmpty() || nanos - state.history.getLast().nanos > sinceNanos);
    }

    private boolean changed(State state, long nanos) {
        var shown = state.typists.keySet().stream().limit(SHOWN_MAX).toList();
        var before = state.history.isEmpty() ? List.of() : state.history.getLast().users;
        if (shown.equals(before)) {
            return false;
        }
        state.history.add(new ShownTyping(++serial, shown, nanos));
        if (state.history.size() > HISTORY_MAX) {
            state.history.removeFirst();
            state.cut = true;
        }
        return true;
    }

    /** Whether anybody types there. */
    public synchronized boolean isTypedIn(TenantRoom room) {
        var state = rooms.get(room);
        return state != null && !state.typists.isEmpty();
    }

    /**
     * Those of the rooms in which somebody types, or of which a reader who was told up to there may believe it.
     *
     * @param since up to which change the reader was told, or {@link #UNKNOWN}
     */
    public synchronized List<RoomId> lately(TenantId tenant, List<RoomId> among, long since) {
        return rooms.isEmpty()
                ? List.of()
                : among.stream()
                        .filter(room -> isOfInterest(rooms.get(new TenantRoom(tenant, room)), since))
                        .toList();
    }

    private static boolean isOfInterest(@Nullable State state, long since) {
        return state != null
                && (since == UNKNOWN
                        || !state.typists.isEmpty()
                        || state.history.isEmpty()
                        || state.history.getLast().serial > since);
    }

    /** How many changes there were. */
    public synchronized long mark() {
        return serial;
    }

    /**
     * Who types, for a reader who must be told; null for one who need not.
     *
     * @param since up to which change the reader was told, or {@link #UNKNOWN}
     * @param next up to which change they are told now
     * @param ignored users whom the reader does not want to see
     * @param fresh whether the reader knows nothing of the room
     */
    public synchronized @Nullable List<UserId> told(
            TenantRoom room, long since, long next, Set<String> ignored, boolean fresh) {
        var state = rooms.get(room);
        if (state == null) {
            return null;
        }
        var now = seen(at(state, next), ignored);
        if (fresh) {
            return now.isEmpty() ? null : now;
        }
        if (since == UNKNOWN || isCutAt(state, since)) {
            // an empty one too, for who knows what the reader believes; but of what began after this answer's cut,
            // nothing
            return beginsAfter(state, next) ? null : now;
        }
        return hasChanged(state, since, next, ignored) ? now : null;
    }

    /**
     * Whether readers saw another set in between. The one who asks may have seen it: a client asks again with an older token when it lost
     * an answer, and would show for ever who has typed meanwhile.
     */
    private static boolean hasChanged(State state, long since, long next, Set<String> ignored) {
        var before = seen(at(state, since), ignored);
        return state.history.stream()
                .filter(shown -> shown.serial > since && shown.serial <= next)
                .anyMatch(shown -> !seen(shown.users, ignored).equals(before));
    }

    private static boolean beginsAfter(State state, long serial) {
        return !state.cut && (state.history.isEmpty() || state.history.getFirst().serial > serial);
    }

    private static boolean isCutAt(State state, long serial) {
        return state.cut && state.history.getFirst().serial > serial;
    }

    private static List<UserId> at(State state, long serial) {
        List<UserId> users = List.of();
        for (var shown : state.history) {
            if (shown.serial <= serial) {
                users = shown.users;
            }
        }
        return users;
    }

    private static List<UserId> seen(List<UserId> users, Set<String> ignored) {
        return users.stream().filter(user -> !ignored.contains(user.value())).toList();
    }
}
