// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.Collection;
import java.util.Map;
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
 * The rings of rooms with recent events: rooms of connected users, and for some time after the node's start all active rooms.
 *
 * <p>A new node therefore answers recent tokens of other nodes from memory, and a deploy does not overload room-service. Changed
 * only under the monitor of {@link RoomFeed}.
 */
final class Rings {
    /** The share of the budget left after eviction, so that evictions are rare. */
    private static final double KEPT = 0.75;
    /** The precision of the search for the eviction time. */
    private static final long PRECISION_NANOS = 10_000;

    private final RingProperties properties;
    private final RingBudget budget;
    private final Map<TenantRoom, RoomRing> byRoom = new ConcurrentHashMap<>();
    /** The same rooms by hash. */
    private final Map<Long, TenantRoom> byHash = new ConcurrentHashMap<>();

    @Nullable
    private volatile FillSpan filling;

    /** Until a {@link System#nanoTime}, all rooms are kept, from these positions on. */
    private record FillSpan(Positions from, long untilNanos) {}

    Rings(RingProperties properties) {
        this.properties = properties;
        this.budget = properties.budget();
    }

    /** Drops all rings, and begins to keep all rooms. Returns the positions from which to follow. */
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

    /** The positions from which all rooms are complete in memory; null after the fill time. */
    @Nullable
    Positions filledFrom() {
        var now = filling;
        return now == null ? null : now.from;
    }

    /** Whether a ring needs the entry. */
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

    /** The ring for the entry; null if no ring needs the entry. */
    @Nullable
    RoomRing taking(LogRecord entry) {
        var from = filledFrom();
        if (from == null || entry.room() == null) {
            return find(entry);
        }
        return byRoom.computeIfAbsent(
                new TenantRoom(entry.tenant(), entry.room()), key -> ring(key, from.at(entry.shard())));
    }

    /** Keeps the room for a reader, complete from {@code pos} or an earlier position. */
    RoomRing enter(TenantRoom key, int shard, long pos, Waiters reader) {
        var from = filledFrom();
        var ring = byRoom.computeIfAbsent(
                key,
                _ -> ring(key, from == null ? pos : Math.min(pos, from.at(shard)))); // no ring means no entry since
        ring.enter(reader);
        return ring;
    }

    void leave(TenantRoom key, Waiters reader) {
        var ring = byRoom.get(key);
        if (ring != null && ring.leave(reader) && filling == null) {
            drop(key);
        }
    }

    /** Drops the ring of a room without readers, or of a purged room. */
    void drop(TenantRoom key) {
        var ring = byRoom.remove(key);
        byHash.remove(key.room().hash(), key);
        if (ring != null) {
            ring.close();
        }
    }

    /** After the fill time, drops the rooms without readers. */
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
     * Evicts the oldest events of all rooms when the rings exceed the budget. A shortened ring stays correct for the rest. If
     * eviction of events does not suffice, cached member events go, and finally the rooms without readers.
     */
    void keepWithinBudget(long nowNanos) {
        if (!budget.isExceeded()) {
            return;
        }
        long target = (long) (KEPT * budget.bytesMax());
        dropBefore(oldestOfNewest(target, nowNanos));
        if (budget.used() > target) {
            byRoom.values().forEach(RoomRing::forgetMembers);
        }
        if (budget.isExceeded()) {
            endFilling();
        }
    }

    /** The {@link System#nanoTime} since which the entries take at most this number of bytes. */
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

    /** Adds the readers of a tenant's rooms with these hashes. */
    void readersInto(Collection<Waiters> all, TenantId tenant, Collection<Long> hashes) {
        for (var hash : hashes) {
            var key = byHash.get(hash);
            if (key != null && key.tenant().equals(tenant)) {
                readersInto(all, key);
            }
        }
    }

    /** Adds the readers of all matching rooms. */
    void readersInto(Collection<Waiters> all, BiPredicate<TenantRoom, RoomRing> which) {
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
        return budget.used();
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
