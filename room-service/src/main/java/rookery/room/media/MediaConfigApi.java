package rookery.room.media;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.platform.http.MediaProperties;

/** The limits of uploads, for clients (contract.md 13.4). */
@RestController
class MediaConfigApi {
    private final MediaProperties limits;
    private final MediaStore store;

    MediaConfigApi(MediaProperties limits, MediaStore store) {
        this.limits = limits;
        this.store = store;
    }

    /** The largest upload in bytes; 0 without a storage. */
    @GetMapping({"/_api/client/v1/media/config", "/_api/media/v3/config"})
    MediaConfig config() {
        return new MediaConfig(store.isOpen() ? limits.sizeMax().toBytes() : 0);
    }

    record MediaConfig(@JsonProperty("m.upload.size") long uploadSize) {}
}
