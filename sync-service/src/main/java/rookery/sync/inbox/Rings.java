package rookery.sync.inbox;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.sync.ring.RingBudget;
import rookery.sync.ring.RoomRing;
import rookery.sync.waiting.Waiters;

/**
 * The recent events of rooms: of those that connected users are in, and for a while after the node's start of all in which
 * anything happens.
 *
 * <p>So a new node can answer tokens that another one gave a moment ago, and a deploy is not a storm on room-service. Changed under
 * the monitor of {@link RoomFeed} only.
 */
final class Rings {
    /** Of the budget is left after it was exceeded, so that the next time is some way off. */
    private static final double KEPT = 0.75;
    /** How exactly the moment is found before which everything is forgotten. */
    private static final long PRECISION_NANOS = 10_000;

    private final RingProperties properties;
    private final RingBudget budget;
    private final Map<TenantRoom, RoomRing> byRoom = new ConcurrentHashMap<>();
    /** Those rooms by their hashes. */
    private final Map<Long, TenantRoom> byHash = new ConcurrentHashMap<>();

    @Nullable
    private volatile FillSpan filling;

    /** Nothing of any room was left out after these positions, until a moment of {@link System#nanoTime}. */
    private record FillSpan(Positions from, long untilNanos) {}

    Rings(RingProperties properties) {
        this.properties = properties;
        this.budget = properties.budget();
    }

    /** Drops everything; from now on, entries of all rooms are to be held, beginning after the positions returned. */
    Positions fill(Positions heads, long nowNanos) {
        byRoom.values().forEach(RoomRing::close);
        byRoom.clear();
        byHash.clear();
        if (properties.fillEntries() == 0) {
            filling = null;
            return heads;
        }
        var from = heads.minus(properties.fillEntries());
        filling = new FillSpan(from, nowNanos + properties.fillFor().toNanos());
        return from;
    }

    /** After these positions everything is held, of all rooms; null when the time for that is over. */
    @Nullable
    Positions filledFrom() {
        var now = filling;
        return now == null ? null : now.from;
    }

    /** Whether an entry is to be held. */
    boolean wants(LogRecord entry) {
        return entry.room() != null && (filling != null || find(entry) != null);
    }

    @Nullable
    RoomRing find(LogRecord entry) {
        return entry.room() == null ? null : find(new TenantRoom(entry.tenant(), entry.room()));
    }

    @Nullable
    RoomRing find(TenantRoom key) {
        return byRoom.get(key);
    }

    /** The ring that takes the entry; null when nobody needs one. */
    @Nullable
    RoomRing taking(LogRecord entry) {
        var from = filledFrom();
        if (from == null || entry.room() == null) {
            return find(entry);
        }
        return byRoom.computeIfAbsent(
                new TenantRoom(entry.tenant(), entry.room()), key -> ring(key, from.at(entry.shard())));
    }

    /** The reader's room is held from now on, after {@code pos} or an earlier position. */
    RoomRing enter(TenantRoom key, int shard, long pos, Waiters reader) {
        var from = filledFrom();
        var ring = byRoom.computeIfAbsent(
                key,
                _ -> ring(key, from == null ? pos : Math.min(pos, from.at(shard)))); // nothing happened there since
        ring.enter(reader);
        return ring;
    }

    void leave(TenantRoom key, Waiters reader) {
        var ring = byRoom.get(key);
        if (ring != null && ring.leave(reader) && filling == null) {
            drop(key);
        }
    }

    /** Nothing will be told of the room any more. */
    void drop(TenantRoom key) {
        var ring = byRoom.remove(key);
        byHash.remove(key.room().hash(), key);
        if (ring != null) {
            ring.close();
        }
    }

    /** When its time is over, forgets the rooms that nobody here reads. */
    void endFilling(long nowNanos) {
        var now = filling;
        if (now != null && nowNanos - now.untilNanos >= 0) {
            endFilling();
        }
    }

    private void endFilling() {
        filling = null;
        var unread = byRoom.entrySet().stream()
                .filter(entry -> entry.getValue().readers() == 0)
                .map(Map.Entry::getKey)
                .toList();
        unread.forEach(this::drop);
    }

    /**
     * If all rings together hold more than they may, forgets what is oldest, in whatever room; a ring that forgot is still right about
     * the rest. What else the rings hold goes when that does not suffice, and at last the filling ends.
     */
    void keepWithinBudget(long nowNanos) {
        if (!budget.isExceeded()) {
            return;
        }
        long target = (long) (KEPT * budget.bytesMax());
        dropBefore(oldestOfNewest(target, nowNanos));
        if (budget.held() > target) {
            byRoom.values().forEach(RoomRing::forgetMembers);
        }
        if (budget.isExceeded()) {
            endFilling();
        }
    }

    /** The moment after which no more came than so many bytes. */
    private long oldestOfNewest(long bytes, long nowNanos) {
        long ageTooMuch = properties.ageMax().toNanos();
        long age = 0;
        while (ageTooMuch - age > PRECISION_NANOS) {
            long middle = (age + ageTooMuch) / 2;
            if (bytesSince(nowNanos - middle) > bytes) {
                ageTooMuch = middle;
            } else {
                age = middle;
            }
        }
        return nowNanos - age;
    }

    private long bytesSince(long nanos) {
        return byRoom.values().stream()
                .mapToLong(ring -> ring.bytesSince(nanos))
                .sum();
    }

    void readersInto(Collection<Waiters> all, TenantRoom key) {
        var ring = byRoom.get(key);
        if (ring != null) {
            ring.readersInto(all);
        }
    }

    /** The readers of the rooms of a tenant that have these hashes. */
    void readersInto(Collection<Waiters> all, TenantId tenant, Collection<Long> hashes) {
        for (var hash : hashes) {
            var key = byHash.get(hash);
            if (key != null && key.tenant().equals(tenant)) {
                readersInto(all, key);
            }
        }
    }

    /** The readers of all rooms for which that holds. */
    void readersInto(Set<Waiters> all, BiPredicate<TenantRoom, RoomRing> which) {
        byRoom.forEach((key, ring) -> {
            if (which.test(key, ring)) {
                ring.readersInto(all);
            }
        });
    }

    void dropBefore(long nanos) {
        byRoom.values().forEach(ring -> ring.dropBefore(nanos));
    }

    long bytes() {
        return budget.held();
    }

    int size() {
        return byRoom.size();
    }

    private RoomRing ring(TenantRoom key, long completeFrom) {
        byHash.put(key.room().hash(), key);
        return new RoomRing(
                completeFrom, properties.entriesMax(), properties.bytesMax().toBytes(), budget);
    }
}
