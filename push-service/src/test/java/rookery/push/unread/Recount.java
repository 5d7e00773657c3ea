// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import rookery.platform.push.PushRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.push.Reader;
import rookery.platform.push.RoomFacts;
import rookery.platform.push.Verdict;
import rookery.push.notification.ActionsText;

/**
 * Counts by brute force: evaluates every member's rules for every event, stores every verdict and adds up. Shares only the rule
 * evaluator with the implementation.
 */
final class Recount {
    /** The counts of a user in a room since the last join. */
    private static final class Seat {
        boolean joined;

        @Nullable
        String name;

        final List<CountedEvent> counted = new ArrayList<>();
        final Map<String, Long> read = new HashMap<>();
    }

    private record CountedEvent(long pos, String thread, UserId sender, Verdict verdict) {}

    private record Key(TenantRoom room, UserId user) {}

    private final Map<Key, Seat> seats = new HashMap<>();
    private final Map<TenantUser, PushRules> rules = new HashMap<>();
    private final Map<TenantUser, Set<String>> ignored = new HashMap<>();
    private final Map<TenantRoom, Set<Long>> redacted = new HashMap<>();
    long cases;

    void rules(TenantUser user, RuleSet own) {
        rules.put(user, PushRules.of(DefaultRules.of(user.user()).with(own)));
    }

    void ignore(TenantUser user, Set<String> users) {
        ignored.put(user, users);
    }

    List<UserId> joined(TenantRoom room) {
        return seats.entrySet().stream()
                .filter(seat -> seat.getKey().room.equals(room) && seat.getValue().joined)
                .map(seat -> seat.getKey().user)
                .sorted(Comparator.comparing(UserId::value))
                .toList();
    }

    void join(TenantRoom room, UserId user, @Nullable String name) {
        var seat = seats.computeIfAbsent(new Key(room, user), _ -> new Seat());
        if (!seat.joined) {
            seat.counted.clear();
            seat.read.clear();
        }
        seat.joined = true;
        seat.name = name;
    }

    void leave(TenantRoom room, UserId user) {
        seats.remove(new Key(room, user));
    }

    /**
     * Judges an event by the room's state at the event, which includes a join by the event itself; an invited user's rules are
     * evaluated too.
     */
    void event(
            TenantRoom room,
            long pos,
            String thread,
            UserId sender,
            String json,
            RoomFacts facts,
            @Nullable UserId invited) {
        var event = PushedEvent.of(room.room(), json);
        seats.forEach((key, seat) -> {
            if (key.room.equals(room) && seat.joined) {
                judge(key, seat, pos, thread, sender, event, facts);
            }
        });
        if (invited != null) {
            var key = new Key(room, invited);
            judge(key, seats.computeIfAbsent(key, _ -> new Seat()), pos, thread, sender, event, facts);
        }
        var own = seats.get(new Key(room, sender));
        if (own != null) {
            own.read.merge(thread, pos, Math::max);
        }
    }

    private void judge(Key key, Seat seat, long pos, String thread, UserId sender, PushedEvent event, RoomFacts facts) {
        cases++;
        var own = rules.computeIfAbsent(
                new TenantUser(key.room.tenant(), key.user), user -> PushRules.of(DefaultRules.of(user.user())));
        var verdict = own.judge(event, facts, new Reader(key.user, seat.name));
        if (verdict.notifies()) {
            seat.counted.add(new CountedEvent(pos, thread, sender, verdict));
        }
    }

    void read(TenantRoom room, UserId user, String thread, long pos) {
        var seat = seats.get(new Key(room, user));
        if (seat != null && seat.joined) {
            seat.read.merge(thread, pos, Math::max);
        }
    }

    void redact(TenantRoom room, long pos) {
        redacted.computeIfAbsent(room, _ -> new HashSet<>()).add(pos);
    }

    /** By room and thread, without threads that have no unread events. */
    Map<String, Map<String, List<Long>>> counts(TenantUser user) {
        var counts = new TreeMap<String, Map<String, List<Long>>>();
        seats.forEach((key, seat) -> {
            if (key.user.equals(user.user()) && key.room.tenant().equals(user.tenant())) {
                var threads = threads(user, key.room, seat);
                if (!threads.isEmpty()) {
                    counts.put(key.room.room().value(), threads);
                }
            }
        });
        return counts;
    }

    /** The notifications, newest last, with position and whether read. */
    List<String> notifications(TenantUser user) {
        var lines = new ArrayList<String>();
        seats.forEach((key, seat) -> {
            if (key.user.equals(user.user()) && key.room.tenant().equals(user.tenant())) {
                for (var counted : seat.counted) {
                    if (isShown(user, key.room, counted)) {
                        lines.add(key.room.room().value() + " " + counted.pos + " " + isRead(seat, counted) + " "
                                + ActionsText.write(counted.verdict));
                    }
                }
            }
        });
        return lines;
    }

    private Map<String, List<Long>> threads(TenantUser user, TenantRoom room, Seat seat) {
        var threads = new TreeMap<String, List<Long>>();
        for (var counted : seat.counted) {
            if (isShown(user, room, counted) && !isRead(seat, counted)) {
                var before = threads.getOrDefault(counted.thread, List.of(0L, 0L));
                threads.put(
                        counted.thread,
                        List.of(before.getFirst() + 1, before.getLast() + (counted.verdict.highlights() ? 1 : 0)));
            }
        }
        return threads;
    }

    private boolean isShown(TenantUser user, TenantRoom room, CountedEvent counted) {
        return !ignored.getOrDefault(user, Set.of()).contains(counted.sender.value())
                && !redacted.getOrDefault(room, Set.of()).contains(counted.pos);
    }

    private static boolean isRead(Seat seat, CountedEvent counted) {
        return counted.pos <= seat.read.getOrDefault("", 0L)
                || counted.pos <= seat.read.getOrDefault(counted.thread, 0L);
    }
}
