package rookery.room.media;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;

/**
 * Where the bytes of files are, by their hash and apart for each tenant: equal files are kept once. All instances that serve media see
 * the same store. A folder is one; a store of objects such as S3 would be another.
 */
interface MediaStore {
    /** What was stored. */
    record Content(ContentHash hash, long size, Beginning beginning) {}

    /** Whether anything can be stored at all. */
    boolean isOpen();

    /**
     * Takes a file in. When this completes the file is there after a loss of power; when it fails, or is cancelled, nothing is. The parts
     * are taken to their end even if they are too many, and released.
     *
     * @param most how many bytes at most; M_TOO_LARGE
     */
    Mono<Content> put(TenantId tenant, Flux<DataBuffer> parts, long most);

    /** A file of this machine that holds the content, for who reads it at once; empty if the store does not have it. */
    Mono<Path> find(TenantId tenant, ContentHash hash);

    /** Fails unless a file can be taken in now. */
    Mono<Void> check();

    /** Removes what uploads before that moment have left that did not come to their end. */
    Mono<Void> clean(Instant before);

    /** What was put before that moment and not since, by tenant; in portions. */
    Flux<Map.Entry<TenantId, List<ContentHash>>> older(Instant before);

    /** Deletes a content that no row names, unless it was put again since that moment. */
    Mono<Void> delete(TenantId tenant, ContentHash hash, Instant before);
}
