package rookery.room.media;

import java.nio.file.Path;
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
}
