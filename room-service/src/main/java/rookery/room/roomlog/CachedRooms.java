// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantRoom;

/**
 * An instance's rooms between batches. The bound is in bytes, because a user chooses the size of a room's power levels: the
 * levels of one event of 64 KiB take some 700 kB on the heap.
 */
final class CachedRooms {
    private static final int SHARE_OF_HEAP = 8;

    private final Cache<InEpoch, CachedRoom> cache;

    /** @param bytesMax estimated bytes of all rooms together */
    CachedRooms(long bytesMax) {
        cache = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .<InEpoch, CachedRoom>weigher((_, room) -> room.bytes())
                .executor(Runnable::run)
                .build();
    }

    static CachedRooms ofHeap() {
        return new CachedRooms(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** A room in an epoch of the log: positions from before a restored backup are not comparable with positions after. */
    private record InEpoch(TenantRoom room, long epoch) {}

    @Nullable
    CachedRoom find(TenantRoom room, long epoch) {
        return cache.getIfPresent(new InEpoch(room, epoch));
    }

    void put(TenantRoom room, long epoch, CachedRoom cached) {
        cache.put(new InEpoch(room, epoch), cached);
    }

    void remove(TenantRoom room, long epoch) {
        cache.invalidate(new InEpoch(room, epoch));
    }

    /** The estimated bytes of all rooms. */
    long bytes() {
        return cache.asMap().values().stream().mapToLong(CachedRoom::bytes).sum();
    }
}
