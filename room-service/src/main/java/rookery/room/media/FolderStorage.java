package rookery.room.media;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/**
 * Files in a folder: {@code TENANT/ab/cd/HASH} for each content, and {@code incoming} for what is being uploaded. A file gets its name
 * once its bytes are on the disk, by a move within the file system, so that a name never leads to half a file.
 */
final class FolderMediaStore implements MediaStore {
    private static final int REQUEST_TIMEOUT = 408;
    private static final int PREFIX_CHARS = 2;

    private final Path folder;
    private final Path incoming;
    private final Duration silenceMax;
    private final BlockingCalls disk;
    private final FolderSweeping sweeping;

    FolderMediaStore(Path folder, Duration silenceMax, BlockingCalls disk) throws IOException {
        this.folder = folder;
        this.incoming = folder.resolve("incoming");
        this.silenceMax = silenceMax;
        this.disk = disk;
        this.sweeping = new FolderSweeping(folder, incoming);
        OwnerOnly.makeFolder(incoming);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public Mono<Content> put(TenantId tenant, Flux<DataBuffer> parts, long most) {
        return Mono.usingWhen(
                disk.call(() -> begin(most)),
                file -> disk.take(parts.timeout(silenceMax).onErrorMap(TimeoutException.class, _ -> tooSlow()))
                        .map(file::take) // so that no released part is discarded once more
                        .then(Mono.fromCallable(() -> keep(tenant, file)))
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release),
                file -> disk.call(() -> discarded(file)));
    }

    @Override
    public Mono<Path> find(TenantId tenant, ContentHash hash) {
        var path = path(tenant, hash);
        return disk.call(() -> Files.isRegularFile(path)).filter(is -> is).map(_ -> path);
    }

    @Override
    public Mono<Void> check() {
        return disk.call(() -> Files.isWritable(incoming))
                .filter(can -> can)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("the folder of media cannot be written to")))
                .then();
    }

    @Override
    public Mono<Void> clean(Instant before) {
        return disk.call(() -> sweeping.clean(before)).then();
    }

    @Override
    public Flux<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) {
        return disk.call(sweeping::leaves)
                .flatMapIterable(leaves -> leaves)
                .concatMap(leaf -> disk.call(() -> sweeping.older(leaf, before)))
                .filter(portion -> !portion.getValue().isEmpty());
    }

    @Override
    public Mono<Void> delete(TenantId tenant, ContentHash hash, Instant before) {
        return disk.call(() -> sweeping.delete(path(tenant, hash), tenant, before))
                .then();
    }

    private IncomingFile begin(long most) throws IOException {
        return new IncomingFile(incoming.resolve(UUID.randomUUID().toString()), most);
    }

    /** Over one that is there already: it has the same bytes, and is from now on as young as this one. */
    private Content keep(TenantId tenant, IncomingFile file) throws IOException {
        var content = file.finish();
        var target = path(tenant, content.hash());
        var parent = target.resolveSibling("").normalize();
        OwnerOnly.makeFolder(parent);
        Files.move(file.path(), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        OwnerOnly.force(parent);
        return content;
    }

    private static boolean discarded(IncomingFile file) throws IOException {
        file.discard();
        return true;
    }

    private Path path(TenantId tenant, ContentHash hash) {
        return path(folder, tenant, hash);
    }

    static Path path(Path folder, TenantId tenant, ContentHash hash) {
        String hex = hash.hex();
        return folder.resolve(Integer.toString(tenant.value()))
                .resolve(hex.substring(0, PREFIX_CHARS))
                .resolve(hex.substring(PREFIX_CHARS, 2 * PREFIX_CHARS))
                .resolve(hex);
    }

    private static ApiException tooSlow() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the body of the request did not come in time")
                .withStatus(REQUEST_TIMEOUT);
    }
}
