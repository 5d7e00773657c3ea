// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.io.IOException;
import javax.imageio.stream.FileImageInputStream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.room.media.BlockingCalls;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.MediaStore;

/** Reads the sizes of pictures from their headers, without a decoder (decision 0022). */
@Component
public class PictureSizes {
    private final MediaStore store;
    private final BlockingCalls files;

    PictureSizes(MediaStore store, BlockingCalls fileThreads) {
        this.store = store;
        this.files = fileThreads;
    }

    /** Width and height as shown; 0 for a type without a header reader. */
    public record Pixels(int width, int height) {}

    /** Empty for an unreadable picture. */
    public Mono<Pixels> find(TenantId tenant, Stored picture) {
        return Picture.isReadable(picture.type())
                ? files.call(() -> read(tenant, picture)).onErrorComplete()
                : Mono.just(new Pixels(0, 0));
    }

    private Pixels read(TenantId tenant, Stored picture) throws IOException {
        try (var file = store.local(tenant, picture.hash());
                var in = new FileImageInputStream(file.path().toFile())) {
            var header = PictureHeader.read(picture.type(), in);
            return header.orientation().isSideways()
                    ? new Pixels(header.height(), header.width())
                    : new Pixels(header.width(), header.height());
        }
    }
}
