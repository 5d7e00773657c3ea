// SPDX-License-Identifier: Apache-2.0
package rookery.sync.presence;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord.PresenceSet;

/**
 * The presence of users, as last published by their nodes. The record with the later timestamp wins in any order of arrival, so
 * that all nodes agree.
 *
 * <p>Changes become visible in rounds, so that a waiting request is woken at most once in a round. Memory is bounded: the users
 * without a change for the longest time are dropped, and count as offline.
 */
@Component
public final class PresenceSets {
    /** Offline users are kept for this time, so that clients get the change. */
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

    private final Clock clock;
    private final int usersMax;
    /** Ordered by change, newest last. */
    private final LinkedHashMap<TenantUser, KnownPresence> users = new LinkedHashMap<>();

    private final Map<TenantId, Set<Long>> changedRooms = new HashMap<>();
    private long round = 1;

    /**
     * The presence of one user.
     *
     * @param round the round that shows the presence in all rooms
     * @param lastRound the last round that shows the presence in any room
     * @param joins the rooms that the user has joined since {@code round}, each with the round that shows the presence there
     */
    private record KnownPresence(
            PresenceSet presence, long endNanos, long round, long lastRound, Set<Long> rooms, Map<Long, Long> joins) {
        boolean isOffline() {
            return presence.state().equals(PresenceState.OFFLINE);
        }

        /** The rooms in which the presence is new to the reader; null if not new, empty for a change without rooms. */
        @Nullable
        Set<Long> shownTo(PresenceReader reader) {
            if (round > reader.next || (isOffline() && reader.isNew)) {
                return null;
            }
            if (round > reader.since) {
                return rooms;
            }
            var shown = new HashSet<Long>();
            joins.forEach((room, joined) -> {
                if (joined > reader.since && joined <= reader.next) {
                    shown.add(room);
                }
            });
            if (!isOffline()) {
                reader.newRooms.stream().filter(rooms::contains).forEach(shown::add);
            }
            return shown.isEmpty() ? null : shown;
        }
    }

    /**
     * A reader of changes in {@code (since, next]}; of {@code newRooms} all presence is new. New readers get no offline users.
     */
    public record PresenceReader(TenantId tenant, long since, long next, boolean isNew, Set<Long> newRooms) {}

    PresenceSets(PresenceProperties properties, Clock clock) {
        this.clock = clock;
        this.usersMax = properties.usersMax();
    }

    /** Takes a published record; records older than the known one are ignored. */
    public synchronized void take(PresenceSet presence, long nanos) {
        var key = new TenantUser(presence.tenant(), presence.user());
        var entry = users.get(key);
        if (entry != null && entry.presence.ts() >= presence.ts()) {
            return;
        }
        long leftMillis = presence.holdsMillis() - Math.max(0, clock.millis() - presence.ts());
        if (leftMillis <= 0) {
            return;
        }
        boolean isGone = presence.state().equals(PresenceState.OFFLINE);
        long end = nanos
                + (isGone ? REMEMBERED_NANOS : Duration.ofMillis(leftMillis).toNanos());
        if (entry != null && PresenceText.areEqual(entry.presence, presence)) {
            showWhereJoined(key, presence, end, entry);
            return;
        }
        show(key, presence, end, entry);
    }

    /** Unchanged presence is shown only in newly joined rooms. */
    private void showWhereJoined(TenantUser key, PresenceSet presence, long end, KnownPresence before) {
        var rooms = Set.copyOf(presence.rooms());
        var joins = new HashMap<>(before.joins);
        joins.keySet().retainAll(rooms);
        var joined = new HashSet<>(rooms);
        joined.removeAll(before.rooms);
        if (joined.isEmpty()) {
            users.replace(
                    key, new KnownPresence(presence, end, before.round, before.lastRound, rooms, Map.copyOf(joins)));
            return;
        }
        joined.forEach(room -> joins.put(room, round + 1));
        users.remove(key); // moves to the end
        users.put(key, new KnownPresence(presence, end, before.round, round + 1, rooms, Map.copyOf(joins)));
        changedRooms.computeIfAbsent(key.tenant(), _ -> new HashSet<>()).addAll(joined);
    }

    private void show(TenantUser key, PresenceSet presence, long end, @Nullable KnownPresence before) {
        if (before == null && presence.state().equals(PresenceState.OFFLINE) && presence.statusMsg() == null) {
            return; // offline is the default
        }
        var rooms = Set.copyOf(
                presence.rooms()); // not the earlier rooms: former members must not see the change, even the last one
        users.remove(key); // moves to the end
        users.put(key, new KnownPresence(presence, end, round + 1, round + 1, rooms, Map.of()));
        changedRooms.computeIfAbsent(key.tenant(), _ -> new HashSet<>()).addAll(rooms);
        if (users.size() > usersMax) {
            users.pollFirstEntry();
        }
    }

    /** Makes the changes since the last round visible, and ends presence without renewal. Returns the rooms with changes. */
    public synchronized Map<TenantId, Set<Long>> nextRound(long nanos) {
        var over = new ArrayList<Map.Entry<TenantUser, KnownPresence>>();
        users.entrySet().stream()
                .filter(each -> each.getValue().endNanos - nanos <= 0)
                .forEach(over::add);
        over.forEach(each -> end(each.getKey(), each.getValue(), nanos));
        if (changedRooms.isEmpty()) {
            return Map.of();
        }
        round++;
        var changed = Map.copyOf(changedRooms);
        changedRooms.clear();
        return changed;
    }

    private void end(TenantUser key, KnownPresence entry, long nanos) {
        var presence = entry.presence;
        if (entry.isOffline()) {
            users.remove(key);
            return;
        }
        var offline = new PresenceSet(
                presence.tenant(),
                presence.user(),
                PresenceState.OFFLINE,
                presence.statusMsg(),
                presence.activeTs(),
                presence.holdsMillis(),
                presence.displayname(),
                presence.avatarUrl(),
                List.copyOf(entry.rooms),
                presence.ts());
        show(key, offline, nanos + REMEMBERED_NANOS, entry);
    }

    /** The current round. */
    public synchronized long mark() {
        return round;
    }

    /** The number of users in memory. */
    public synchronized int size() {
        return users.size();
    }

    /** A user's presence; null if unknown. */
    public synchronized @Nullable PresenceSet find(TenantId tenant, UserId user) {
        var entry = users.get(new TenantUser(tenant, user));
        return entry == null ? null : entry.presence;
    }

    /** The presence that is new to the reader, newest first, of at most {@code most} users. */
    public synchronized List<ShownPresence> changed(PresenceReader reader, int most) {
        var changed = new ArrayList<ShownPresence>();
        for (var each : users.sequencedEntrySet().reversed()) {
            var entry = each.getValue();
            boolean isOld = entry.lastRound <= reader.since && reader.newRooms.isEmpty();
            if (isOld || changed.size() >= most) {
                break;
            }
            var rooms = each.getKey().tenant().equals(reader.tenant) ? entry.shownTo(reader) : null;
            if (rooms != null) {
                changed.add(new ShownPresence(entry.presence, rooms));
            }
        }
        return changed;
    }

    /** A user's presence, and the rooms in which the presence is new. */
    public record ShownPresence(PresenceSet presence, Set<Long> rooms) {}
}
