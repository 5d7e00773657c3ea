// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.runtime.Turnstile;
import rookery.room.media.BlockingCalls;
import rookery.room.media.ContentType;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.MediaStore;
import rookery.room.media.RoomMediaProperties;
import rookery.room.media.download.Picture.Bounds;
import rookery.room.media.download.Picture.Thumbnail;

/** Makes thumbnails on a few dedicated threads, in turn between tenants, each thumbnail once, and stores them like files. */
@Component
class Thumbnailer {
    /** A row takes at most 128 KiB: four channels of 16 bits. */
    private static final int SIDE_MAX = 16_384;

    private final MediaStore store;
    private final Thumbnails thumbnails;
    private final RoomMediaProperties.Thumbnail limits;
    private final Bounds bounds;
    private final BlockingCalls pictures;
    private final Turnstile turns;

    Thumbnailer(MediaStore store, Thumbnails thumbnails, RoomMediaProperties properties, BlockingCalls pictureThreads) {
        this.store = store;
        this.thumbnails = thumbnails;
        this.limits = properties.thumbnail();
        var budget = new PictureBudget(limits.memoryMax(), limits.timeout());
        this.bounds = new Bounds(SIDE_MAX, limits.pixelsMax(), budget);
        this.pictures = pictureThreads;
        this.turns = new Turnstile(limits.threads(), limits.threads() * limits.waitingMax(), PictureBudget::tooMany);
    }

    /**
     * A thumbnail, or the file itself if the picture is small enough. M_INVALID_PARAM for a file that is no picture or has no
     * decoder here; M_TOO_LARGE for a picture that would take too much memory; 503 if too many pictures wait.
     */
    Mono<Stored> of(TenantId tenant, Stored file, Dimensions dimensions, ClientConnection client) {
        if (!Picture.isReadable(file.type())) {
            return isSmallPicture(file) ? Mono.just(file.asThumbnail()) : Mono.error(noPicture());
        }
        return thumbnails
                .find(tenant, file.hash(), dimensions)
                .switchIfEmpty(Mono.defer(() -> make(tenant, file, dimensions, client)));
    }

    private boolean isSmallPicture(Stored file) {
        return file.type().startsWith("image/")
                && ContentType.isShown(file.type())
                && file.size() <= limits.unreadSizeMax().toBytes();
    }

    private Mono<Stored> make(TenantId tenant, Stored file, Dimensions dimensions, ClientConnection client) {
        return drawn(tenant, file, dimensions, client)
                .flatMap(thumbnail -> thumbnail.bytes() == null
                        ? Mono.just(file.asThumbnail())
                        : keep(tenant, file, dimensions, thumbnail.bytes(), thumbnail.type()));
    }

    private Mono<Thumbnail> drawn(TenantId tenant, Stored file, Dimensions dimensions, ClientConnection client) {
        return Mono.defer(() -> {
            var picture = new Picture(() -> store.local(tenant, file.hash()), file.type(), dimensions, bounds, client);
            return turns.pass(tenant, pictures.call(picture).doOnCancel(picture::stop))
                    .timeout(limits.timeout())
                    .onErrorMap(
                            failure -> failure instanceof TimeoutException
                                    || failure instanceof RejectedExecutionException,
                            _ -> PictureBudget.tooMany());
        });
    }

    private Mono<Stored> keep(TenantId tenant, Stored file, Dimensions dimensions, ByteBuffer bytes, String type) {
        int size = bytes.remaining();
        var part = DefaultDataBufferFactory.sharedInstance.wrap(bytes);
        return store.put(tenant, Flux.just(part), size)
                .map(content -> new Stored(content.hash(), content.size(), type, null, null))
                .delayUntil(thumbnail -> thumbnails.insert(tenant, file.hash(), dimensions, thumbnail));
    }

    private static ApiException noPicture() {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "there are no thumbnails of files of this type");
    }
}
