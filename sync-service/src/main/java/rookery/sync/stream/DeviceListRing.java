package rookery.sync.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;

/**
 * Whose devices or keys the room log said lately to be others, in whatever rooms: everything after a position in each shard. Rooms are
 * known by their hashes ({@link rookery.model.id.RoomId#hash}).
 *
 * <p>Written by the thread that follows the log, read by requests.
 */
@Component
public final class DeviceListRing {
    private static final int SHARD_BYTES_MAX = 256 << 10;
    /** The objects of one change, about. */
    private static final int CHANGE_BYTES = 200;

    private final AtomicReferenceArray<Shard> shards = new AtomicReferenceArray<>(Shards.COUNT);

    @SuppressWarnings("ArrayRecordComponent") // made and read here only
    private record Change(long pos, TenantId tenant, UserId user, long[] rooms) {
        int bytes() {
            return CHANGE_BYTES + Long.BYTES * rooms.length;
        }

        boolean isIn(Set<Long> wanted) {
            for (long room : rooms) {
                if (wanted.contains(room)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final class Shard {
        private final ArrayDeque<Change> changes = new ArrayDeque<>();
        private long completeFrom;
        private long bytes;
        private volatile long last;

        Shard(long from) {
            completeFrom = from;
            last = from;
        }

        synchronized void add(Change change) {
            changes.add(change);
            bytes += change.bytes();
            last = change.pos;
            while (bytes > SHARD_BYTES_MAX) {
                var first = changes.removeFirst();
                bytes -= first.bytes();
                completeFrom = first.pos;
            }
        }

        synchronized void miss(long pos) {
            changes.clear();
            bytes = 0;
            completeFrom = pos;
            last = pos;
        }

        synchronized @Nullable List<Change> between(long after, long upto) {
            if (after < completeFrom) {
                return null;
            }
            var found = new ArrayList<Change>();
            for (var each = changes.descendingIterator(); each.hasNext(); ) {
                var change = each.next();
                if (change.pos <= after) {
                    break;
                }
                if (change.pos <= upto) {
                    found.add(change);
                }
            }
            return found;
        }
    }

    /** Nothing is known before the beginning. */
    public DeviceListRing() {
        begin(Positions.zero(Shards.COUNT));
    }

    /** Forgets everything; it will be told everything after these positions. */
    public void begin(Positions from) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            shards.set(shard, new Shard(from.at(shard)));
        }
    }

    /** Takes the next change of a shard. */
    public void add(int shard, long pos, TenantId tenant, UserId user, Collection<Long> rooms) {
        long[] hashes = rooms.stream().mapToLong(Long::longValue).toArray();
        shards.get(shard).add(new Change(pos, tenant, user, hashes));
    }

    /** Something changed at this position that cannot be told from here. */
    public void miss(int shard, long pos) {
        shards.get(shard).miss(pos);
    }

    /** Whether something changed in the shard after that position, or may have. */
    public boolean hasNewsAfter(int shard, long pos) {
        return shards.get(shard).last > pos;
    }

    /** Who of a tenant changed in some rooms in {@code (after, upto]}; null when not all of that is held. */
    public @Nullable List<UserId> changed(int shard, long after, long upto, TenantId tenant, Set<Long> rooms) {
        var changes = shards.get(shard).between(after, upto);
        return changes == null
                ? null
                : changes.stream()
                        .filter(change -> change.tenant.equals(tenant) && change.isIn(rooms))
                        .map(Change::user)
                        .toList();
    }
}
