package rookery.sync.presence;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord.PresenceSet;

/**
 * How users are, as the nodes that serve them said last. Of two things that were said the later one counts, in whatever order
 * they are heard, so that all nodes agree.
 *
 * <p>What changes is shown in rounds: whoever waits is woken at most once a round, however many come and go. It is bounded: those
 * of whom nothing was heard for the longest time are forgotten first, and count as offline.
 */
@Component
public final class PresenceSets {
    /** Those who are offline are remembered for so long, so that the clients who saw them before are told. */
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

    private final Clock clock;
    private final int usersMax;
    /** The ones that changed last stand last. */
    private final LinkedHashMap<TenantUser, KnownPresence> users = new LinkedHashMap<>();

    private final Map<TenantId, Set<Long>> changedRooms = new HashMap<>();
    private long round = 1;

    /**
     * The presence of one user.
     *
     * @param round the round in which it is shown in all rooms
     * @param lastRound the latest round in which it is shown anywhere
     * @param joins rooms that the user has joined since {@code round}, each with the round in which it is shown there
     */
    private record KnownPresence(
            PresenceSet said, long endNanos, long round, long lastRound, Set<Long> rooms, Map<Long, Long> joins) {
        boolean isOffline() {
            return said.state().equals(PresenceState.OFFLINE);
        }

        /** The rooms in which a reader has not seen it yet; null for none, and empty for a change that no room sees. */
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
     * Who asks for changes in {@code (since, next]}.
     *
     * @param since 0 for a reader whom this node has told nothing
     * @param isNew whether nobody has told the reader anything: users who are offline are left out then
     * @param newRooms {@link rookery.model.id.RoomId#hash} of the rooms that the reader has joined since: of their members everything is
     *     new
     */
    public record PresenceReader(TenantId tenant, long since, long next, boolean isNew, Set<Long> newRooms) {}

    PresenceSets(PresenceProperties properties, Clock clock) {
        this.clock = clock;
        this.usersMax = properties.usersMax();
    }

    /** Takes what a node said; older than what is known, it is ignored. */
    public synchronized void take(PresenceSet said, long nanos) {
        var key = new TenantUser(said.tenant(), said.user());
        var known = users.get(key);
        if (known != null && known.said.ts() >= said.ts()) {
            return;
        }
        long leftMillis = said.holdsMillis() - Math.max(0, clock.millis() - said.ts());
        if (leftMillis <= 0) {
            return;
        }
        boolean isGone = said.state().equals(PresenceState.OFFLINE);
        long end = nanos
                + (isGone ? REMEMBERED_NANOS : Duration.ofMillis(leftMillis).toNanos());
        if (known != null && isShownTheSame(known.said, said)) {
            showWhereJoined(key, said, end, known);
            return;
        }
        show(key, said, end, known);
    }

    /** What is the same as before is shown in the rooms only that the user has joined since. */
    private void showWhereJoined(TenantUser key, PresenceSet said, long end, KnownPresence before) {
        var rooms = Set.copyOf(said.rooms());
        var joins = new HashMap<>(before.joins);
        joins.keySet().retainAll(rooms);
        var joined = new HashSet<>(rooms);
        joined.removeAll(before.rooms);
        if (joined.isEmpty()) {
            users.replace(key, new KnownPresence(said, end, before.round, before.lastRound, rooms, Map.copyOf(joins)));
            return;
        }
        joined.forEach(room -> joins.put(room, round + 1));
        users.remove(key); // it changed last
        users.put(key, new KnownPresence(said, end, before.round, round + 1, rooms, Map.copyOf(joins)));
        changedRooms.computeIfAbsent(key.tenant(), _ -> new HashSet<>()).addAll(joined);
    }

    private static boolean isShownTheSame(PresenceSet a, PresenceSet b) {
        return a.state().equals(b.state())
                && Objects.equals(a.statusMsg(), b.statusMsg())
                && Objects.equals(a.displayname(), b.displayname())
                && Objects.equals(a.avatarUrl(), b.avatarUrl());
    }

    private void show(TenantUser key, PresenceSet said, long end, @Nullable KnownPresence before) {
        if (before == null && said.state().equals(PresenceState.OFFLINE) && said.statusMsg() == null) {
            return; // nobody believes anything else
        }
        var rooms = Set.copyOf(said.rooms()); // those of before are nobody's business any more, were it the last one
        users.remove(key); // it changed last
        users.put(key, new KnownPresence(said, end, round + 1, round + 1, rooms, Map.of()));
        changedRooms.computeIfAbsent(key.tenant(), _ -> new HashSet<>()).addAll(rooms);
        if (users.size() > usersMax) {
            users.pollFirstEntry();
        }
    }

    /** Shows what changed since the last round, and ends what nobody has repeated; answers the rooms of those whom it is about. */
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

    private void end(TenantUser key, KnownPresence known, long nanos) {
        var said = known.said;
        if (known.isOffline()) {
            users.remove(key);
            return;
        }
        var offline = new PresenceSet(
                said.tenant(),
                said.user(),
                PresenceState.OFFLINE,
                said.statusMsg(),
                said.activeTs(),
                said.holdsMillis(),
                said.displayname(),
                said.avatarUrl(),
                List.copyOf(known.rooms),
                said.ts());
        show(key, offline, nanos + REMEMBERED_NANOS, known);
    }

    /** Where the changes stand now. */
    public synchronized long mark() {
        return round;
    }

    /** How many users are known. */
    public synchronized int size() {
        return users.size();
    }

    /** What is known of a user; null for nothing. */
    public synchronized @Nullable PresenceSet find(TenantId tenant, UserId user) {
        var known = users.get(new TenantUser(tenant, user));
        return known == null ? null : known.said;
    }

    /** The presence of users that is new to the reader, the latest changes first, and of at most so many users. */
    public synchronized List<ShownPresence> changed(PresenceReader reader, int most) {
        var changed = new ArrayList<ShownPresence>();
        for (var each : users.sequencedEntrySet().reversed()) {
            var known = each.getValue();
            boolean isOld = known.lastRound <= reader.since && reader.newRooms.isEmpty();
            if (isOld || changed.size() >= most) {
                break;
            }
            var rooms = each.getKey().tenant().equals(reader.tenant) ? known.shownTo(reader) : null;
            if (rooms != null) {
                changed.add(new ShownPresence(known.said, rooms));
            }
        }
        return changed;
    }

    /** The presence of a user, and the rooms whose members are to see it now. */
    public record ShownPresence(PresenceSet said, Set<Long> rooms) {}
}
