package rookery.sync.inbox;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.sync.stream.RoomRing;
import rookery.sync.waiting.Waiters;

/**
 * The recent events of rooms: of those that connected users are in, and for a while after the node's start of all in which
 * anything happens.
 *
 * <p>So a new node can answer tokens that another one gave a moment ago, and a deploy is not a storm on room-service. Changed under
 * the monitor of {@link RoomFeed} only.
 */
final class Rings {
    private final RingProperties properties;
    private final Map<Key, RoomRing> byRoom = new ConcurrentHashMap<>();

    @Nullable
    private volatile Filling filling;

    /** A room of one tenant. */
    record Key(TenantId tenant, RoomId room) {}

    /** Nothing of any room was left out after these positions, until a moment of {@link System#nanoTime}. */
    private record Filling(Positions from, long untilNanos) {}

    Rings(RingProperties properties) {
        this.properties = properties;
    }

    /** Drops everything; from now on, entries of all rooms are to be held, beginning after the positions returned. */
    Positions fill(Positions heads, long nowNanos) {
        byRoom.clear();
        if (properties.fillEntries() == 0) {
            filling = null;
            return heads;
        }
        var from = heads.minus(properties.fillEntries());
        filling = new Filling(from, nowNanos + properties.fillFor().toNanos());
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
        return entry.room() == null ? null : find(new Key(entry.tenant(), entry.room()));
    }

    @Nullable
    RoomRing find(Key key) {
        return byRoom.get(key);
    }

    /** The ring that takes the entry; null when nobody needs one. */
    @Nullable
    RoomRing taking(LogRecord entry) {
        var from = filledFrom();
        if (from == null || entry.room() == null) {
            return find(entry);
        }
        return byRoom.computeIfAbsent(new Key(entry.tenant(), entry.room()), _ -> ring(from.at(entry.shard())));
    }

    /** The reader's room is held from now on, after {@code pos} or an earlier position. */
    RoomRing enter(Key key, int shard, long pos, Waiters reader) {
        var from = filledFrom();
        var ring = byRoom.computeIfAbsent(
                key, _ -> ring(from == null ? pos : Math.min(pos, from.at(shard)))); // nothing happened there since
        ring.enter(reader);
        return ring;
    }

    void leave(Key key, Waiters reader) {
        var ring = byRoom.get(key);
        if (ring != null && ring.leave(reader) && filling == null) {
            byRoom.remove(key);
        }
    }

    /** Nothing will be told of the room any more. */
    void drop(Key key) {
        byRoom.remove(key);
    }

    /** When its time is over, forgets the rooms that nobody here reads. */
    void endFilling(long nowNanos) {
        var now = filling;
        if (now != null && nowNanos - now.untilNanos >= 0) {
            filling = null;
            byRoom.values().removeIf(ring -> ring.readers() == 0);
        }
    }

    void readersInto(Collection<Waiters> all, Key key) {
        var ring = byRoom.get(key);
        if (ring != null) {
            ring.readersInto(all);
        }
    }

    /** The readers of all rooms for which that holds. */
    void readersInto(Set<Waiters> all, BiPredicate<Key, RoomRing> which) {
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
        return byRoom.values().stream().mapToLong(RoomRing::bytes).sum();
    }

    int size() {
        return byRoom.size();
    }

    private RoomRing ring(long completeFrom) {
        return new RoomRing(
                completeFrom, properties.entriesMax(), properties.bytesMax().toBytes());
    }
}
