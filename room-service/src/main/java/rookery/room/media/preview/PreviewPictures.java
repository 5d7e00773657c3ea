// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import io.netty.handler.codec.http.HttpHeaders;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.room.media.FetchedPictures;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.download.PictureSizes;
import rookery.room.media.download.PictureSizes.Pixels;

/** Stores pictures of previews as files of the tenant, up to a number of bytes. */
@Component
class PreviewPictures {
    private final FetchedPictures pictures;
    private final PictureSizes sizes;
    private final PreviewRemoval removal;
    private final PreviewProperties properties;

    PreviewPictures(
            FetchedPictures pictures, PictureSizes sizes, PreviewRemoval removal, PreviewProperties properties) {
        this.pictures = pictures;
        this.sizes = sizes;
        this.removal = removal;
        this.properties = properties;
    }

    /** A stored picture without a row. */
    record Picture(Stored file, Pixels pixels) {}

    /** Empty for a file that is no picture, is too large, or cannot be stored now. */
    Mono<Picture> take(Caller caller, HttpHeaders headers, ByteBufFlux body) {
        long most = pictures.sizeMax(properties.pictureMax());
        if (!pictures.isOpen() || headers.getInt("Content-Length", 0) > most) {
            return Mono.empty();
        }
        var owner = FetchedPictures.owner(caller.server());
        var parts = bounded(body.asByteArray(), most)
                .<DataBuffer>map(bytes -> DefaultDataBufferFactory.sharedInstance.wrap(bytes));
        return hasRoom(caller.tenant(), owner, most)
                .filter(hasRoom -> hasRoom)
                .switchIfEmpty(
                        Mono.defer(() -> removal.makeRoom(caller.tenant()).then(hasRoom(caller.tenant(), owner, most))))
                .filter(hasRoom -> hasRoom)
                .flatMap(_ -> pictures.take(caller.tenant(), parts, most))
                .onErrorComplete(ApiException.class)
                .flatMap(file -> sizes.find(caller.tenant(), file).map(pixels -> new Picture(file, pixels)));
    }

    private Mono<Boolean> hasRoom(TenantId tenant, UserId owner, long most) {
        return pictures.bytesLeft(tenant, owner, properties.picturesMax()).map(bytesLeft -> bytesLeft >= most);
    }

    /** Stops at most one part above the limit, so an endless body is not read on. */
    private static Flux<byte[]> bounded(Flux<byte[]> body, long most) {
        return Flux.defer(() -> {
            var bytes = new long[1];
            return body.takeUntil(part -> (bytes[0] += part.length) > most);
        });
    }

    /** Writes the row of a picture; empty if a limit is exceeded. Call within a transaction. */
    Mono<MediaId> add(Caller caller, Picture picture) {
        return pictures.add(
                caller.tenant(), FetchedPictures.owner(caller.server()), picture.file, properties.picturesMax());
    }
}
