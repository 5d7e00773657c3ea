// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;

/**
 * Recent changes of devices and keys from the room log, complete after a position in each shard. Rooms are identified by hashes
 * ({@link rookery.model.id.RoomId#hash}).
 *
 * <p>Written by the thread that follows the log, read by requests.
 */
@Component
public final class DeviceListRing {
    private static final int SHARD_BYTES_MAX = 256 << 10;
    /** The approximate size of a change without rooms. */
    private static final int CHANGE_BYTES = 200;

    private volatile View view = new View(Positions.zero(Shards.COUNT));

    @SuppressWarnings("ArrayRecordComponent") // made and read here only
    private record Change(long pos, TenantId tenant, UserId user, long[] rooms) {
        int bytes() {
            return CHANGE_BYTES + Long.BYTES * rooms.length;
        }

        boolean isIn(Set<Long> hashes) {
            for (long room : rooms) {
                if (hashes.contains(room)) {
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
            var result = new ArrayList<Change>();
            for (var each = changes.descendingIterator(); each.hasNext(); ) {
                var change = each.next();
                if (change.pos <= after) {
                    break;
                }
                if (change.pos <= upto) {
                    result.add(change);
                }
            }
            return result;
        }
    }

    /** The changes since following began. A request keeps one view, even if following begins anew meanwhile. */
    public static final class View {
        private final Shard[] shards = new Shard[Shards.COUNT];

        private View(Positions from) {
            Arrays.setAll(shards, shard -> new Shard(from.at(shard)));
        }

        /** Whether the shard has, or may have, changes after the position. */
        public boolean hasNewsAfter(int shard, long pos) {
            return shards[shard].last > pos;
        }

        /** The tenant's users in the rooms with changes in {@code (after, upto]}; null if the ring is incomplete there. */
        public @Nullable List<UserId> changed(int shard, long after, long upto, TenantId tenant, Set<Long> rooms) {
            var changes = shards[shard].between(after, upto);
            return changes == null
                    ? null
                    : changes.stream()
                            .filter(change -> change.tenant.equals(tenant) && change.isIn(rooms))
                            .map(Change::user)
                            .toList();
        }
    }

    public View view() {
        return view;
    }

    /** Drops all changes, and becomes complete after these positions. */
    public void begin(Positions from) {
        view = new View(from);
    }

    /** Adds the next change of a shard. */
    public void add(int shard, long pos, TenantId tenant, UserId user, Collection<Long> rooms) {
        long[] hashes = rooms.stream().mapToLong(Long::longValue).toArray();
        view.shards[shard].add(new Change(pos, tenant, user, hashes));
    }

    /** Marks an unreadable change: the ring is complete only after the position. */
    public void miss(int shard, long pos) {
        view.shards[shard].miss(pos);
    }
}
