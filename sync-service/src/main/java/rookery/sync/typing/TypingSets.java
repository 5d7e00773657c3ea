// SPDX-License-Identifier: Apache-2.0
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
 * The typing users of each room with deadlines, and a short history: a client's token contains the last change that the client
 * has received.
 *
 * <p>Deadlines use the node's monotonic clock, so that a wrong clock cannot make a user type for ever.
 */
@Component
public class TypingSets {
    /** The mark of a client that got no typing from this run of this node. */
    public static final long UNKNOWN = -1;

    /** Clients get the first users by start; more names would not be shown. */
    static final int SHOWN_MAX = 50;

    private static final int HISTORY_MAX = 20;
    /** The time for which changes are kept. */
    private static final long HISTORY_NANOS = Duration.ofMinutes(2).toNanos();
    /** The time for which a room is kept after the last change, so that returning clients get the empty set. */
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

    private final Map<TenantRoom, State> rooms = new HashMap<>();
    private final TypingStops stops = new TypingStops(HISTORY_NANOS);
    private long serial;

    /** @param pos an event of the user after this position ends the typing */
    private record Typist(long pos, long deadlineNanos) {}

    private record ShownTyping(long serial, List<UserId> users, long nanos) {}

    private static final class State {
        /** Ordered by start of typing. */
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

    /** The user types for {@code leftNanos}, as requested at {@code ts} ms. Returns whether the visible set changes. */
    public synchronized boolean start(TenantRoom room, UserId user, long pos, long ts, long leftNanos, long nanos) {
        if (leftNanos <= 0 || stops.isBeforeStop(room, user, ts)) {
            return false;
        }
        var state = rooms.computeIfAbsent(room, _ -> new State());
        state.typists.put(user, new Typist(pos, nanos + leftNanos));
        return changed(state, nanos);
    }

    /** The user stopped typing at {@code ts}. Returns whether the visible set changes. */
    public synchronized boolean stop(TenantRoom room, UserId user, long ts, long nanos) {
        stops.add(room, user, ts, nanos);
        return ended(room, user, nanos);
    }

    private boolean ended(TenantRoom room, UserId user, long nanos) {
        var state = rooms.get(room);
        return state != null && state.typists.remove(user) != null && changed(state, nanos);
    }

    /** An event of the user at this position ends earlier typing. Returns whether the visible set changes. */
    public synchronized boolean end(TenantRoom room, UserId user, long pos, long nanos) {
        var state = rooms.get(room);
        var typist = state == null ? null : state.typists.get(user);
        return typist != null && typist.pos < pos && ended(room, user, nanos);
    }

    /** Ends overdue typing, and removes quiet rooms. Returns the rooms whose visible set changes. */
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

    public synchronized boolean isTypedIn(TenantRoom room) {
        var state = rooms.get(room);
        return state != null && !state.typists.isEmpty();
    }

    /** The rooms with typing users, or with changes after {@code since}. */
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

    /** The number of the last change. */
    public synchronized long mark() {
        return serial;
    }

    /** The typing users as of {@code next}, for a client with changes up to {@code since}; null if the client is up to date. */
    public synchronized @Nullable List<UserId> usersFor(
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
            // an empty set too, because the client's set is unknown; but no change after this answer's mark
            return beginsAfter(state, next) ? null : now;
        }
        return hasChanged(state, since, next, ignored) ? now : null;
    }

    /**
     * Whether the visible set differed at any time in between. A client that lost an answer repeats an older token, and may show
     * a set from in between.
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
