// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.time.Clock;
import java.util.random.RandomGenerator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.disk.DiskWatch;
import rookery.platform.http.MediaProperties;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.RoomMediaProperties.Quota;

/**
 * Stores pictures that the server fetches itself. Their owner is a name reserved from users by {@code
 * rookery.auth.registration.reserved}, so the pictures count for the tenant's quota, but for no user's.
 */
@Component
public class FetchedPictures {
    private static final String OWNER = "_previews";
    private static final String PICTURE = "image/";

    private final MediaStore store;
    private final MediaFiles files;
    private final MediaUsage usage;
    private final MediaProperties limits;
    private final MediaQuotas quotas;
    private final DiskWatch disks;
    private final Clock clock;
    private final RandomGenerator random;

    FetchedPictures(
            MediaStore store,
            MediaFiles files,
            MediaUsage usage,
            MediaProperties limits,
            MediaQuotas quotas,
            DiskWatch disks,
            Clock clock,
            RandomGenerator random) {
        this.store = store;
        this.files = files;
        this.usage = usage;
        this.limits = limits;
        this.quotas = quotas;
        this.disks = disks;
        this.clock = clock;
        this.random = random;
    }

    /** The user id that owns the fetched pictures of a tenant. */
    public static UserId owner(ServerName server) {
        return UserId.of(OWNER, server);
    }

    /** Whether pictures can be stored now: a storage is configured and its disk is not almost full. */
    public boolean isOpen() {
        return store.isOpen() && disks.hasRoomForUploads();
    }

    /** The limit of a picture in bytes: the setting, but at most the limit of uploads. */
    public long sizeMax(DataSize setting) {
        return Math.min(setting.toBytes(), limits.sizeMax().toBytes());
    }

    /** Bytes left for pictures within {@code most} and within the tenant's quota; may be negative. */
    public Mono<Long> bytesLeft(TenantId tenant, UserId owner, DataSize most) {
        return usage.bytesLeft(tenant, owner, quota(tenant, most));
    }

    /**
     * Stores the bytes of a picture as {@link MediaStore#put} does; empty unless the first bytes are those of an image
     * that browsers show.
     */
    public Mono<Stored> take(TenantId tenant, Flux<DataBuffer> parts, long sizeMax) {
        return store.put(tenant, parts, sizeMax, FetchedPictures::isPicture)
                .map(content -> new Stored(content.hash(), content.size(), type(content.beginning()), null, null));
    }

    private static boolean isPicture(FirstBytes beginning) {
        String type = type(beginning);
        return type.startsWith(PICTURE) && ContentType.isShown(type);
    }

    private static String type(FirstBytes beginning) {
        return ContentType.of(beginning, null);
    }

    /** Writes the row of a stored picture; empty if the picture exceeds a limit. Call within a transaction. */
    public Mono<MediaId> add(TenantId tenant, UserId owner, Stored picture, DataSize most) {
        var id = MediaId.next(random);
        return usage.add(tenant, owner, picture.size(), quota(tenant, most))
                .filter(fits -> fits)
                .flatMap(_ ->
                        files.insert(tenant, id, owner, picture, clock.millis()).thenReturn(id));
    }

    private Quota quota(TenantId tenant, DataSize most) {
        return new Quota(most, quotas.of(tenant).tenant());
    }
}
