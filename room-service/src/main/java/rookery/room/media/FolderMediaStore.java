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
import reactor.core.scheduler.Scheduler;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/**
 * Files in a folder: {@code TENANT/ab/cd/HASH} for each content, and {@code incoming} for what is being uploaded. A file gets its name
 * once its bytes are on the disk, by a move within the file system, so that a name never leads to half a file.
 */
final class FolderMediaStore implements MediaStore {
    private static final int REQUEST_TIMEOUT = 408;
    /** How many parts of one upload, of some KiB each, are held at a time. */
    private static final int PARTS_AHEAD = 4;

    private static final int PREFIX_CHARS = 2;

    private final Path folder;
    private final Path incoming;
    private final Duration silenceMax;
    private final Scheduler files;
    private final FolderSweeping sweeping;

    FolderMediaStore(Path folder, Duration silenceMax, Scheduler files) throws IOException {
        this.folder = folder;
        this.incoming = folder.resolve("incoming");
        this.silenceMax = silenceMax;
        this.files = files;
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
                Mono.fromCallable(() -> begin(most)).subscribeOn(files),
                file -> parts.timeout(silenceMax)
                        .onErrorMap(TimeoutException.class, _ -> tooSlow())
                        .publishOn(files, PARTS_AHEAD)
                        .doOnNext(file::take)
                        .then(Mono.fromCallable(() -> keep(tenant, file)))
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release),
                file -> Mono.fromCallable(() -> discarded(file)).subscribeOn(files));
    }

    @Override
    public Mono<Path> find(TenantId tenant, ContentHash hash) {
        var path = path(tenant, hash);
        return Mono.fromCallable(() -> Files.isRegularFile(path))
                .subscribeOn(files)
                .mapNotNull(is -> is ? path : null);
    }

    @Override
    public Mono<Void> clean(Instant before) {
        return Mono.fromRunnable(() -> sweeping.clean(before))
                .subscribeOn(files)
                .then();
    }

    @Override
    public Flux<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) {
        return Mono.fromCallable(sweeping::leaves)
                .flatMapIterable(leaves -> leaves)
                .concatMap(leaf -> Mono.fromCallable(() -> sweeping.older(leaf, before)))
                .filter(portion -> !portion.getValue().isEmpty())
                .subscribeOn(files);
    }

    @Override
    public Mono<Void> delete(TenantId tenant, ContentHash hash, Instant before) {
        return Mono.fromRunnable(() -> sweeping.delete(path(tenant, hash), tenant, before))
                .subscribeOn(files)
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
