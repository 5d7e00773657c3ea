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

    /** @param round the round in which it is shown */
    private record KnownPresence(PresenceSet said, long endNanos, long round, Set<Long> rooms) {}

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
        if (known != null && isShownTheSame(known.said, said) && known.rooms.containsAll(said.rooms())) {
            users.replace(key, new KnownPresence(said, end, known.round, Set.copyOf(said.rooms())));
            return;
        }
        show(key, said, end, known);
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
        users.put(key, new KnownPresence(said, end, round + 1, rooms));
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
        if (said.state().equals(PresenceState.OFFLINE)) {
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

    /**
     * Those who changed in {@code (since, next]}, the ones who changed last first, and not more than so many.
     *
     * @param since 0 for a reader whom this node has told nothing
     * @param isNew whether nobody has told the reader anything: who is offline is not told then
     */
    public synchronized List<ShownPresence> changed(TenantId tenant, long since, long next, boolean isNew, int most) {
        var changed = new ArrayList<ShownPresence>();
        for (var each : users.sequencedEntrySet().reversed()) {
            var known = each.getValue();
            if (known.round <= since || changed.size() >= most) {
                break;
            }
            boolean isNews = !isNew || !known.said.state().equals(PresenceState.OFFLINE);
            if (known.round <= next && isNews && each.getKey().tenant().equals(tenant)) {
                changed.add(new ShownPresence(known.said, known.rooms));
            }
        }
        return changed;
    }

    /** What is known of a user, and the rooms whose members may know it. */
    public record ShownPresence(PresenceSet said, Set<Long> rooms) {}
}
