// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.platform.erasure.TenantFiles;
import rookery.room.media.MediaStorage.LocalFile;

/**
 * Stores and serves the bytes of files without blocking the caller (decision 0016). An upload is written to a local file first,
 * since its name is the hash, known only at the end. 503 where the storage fails.
 */
public final class MediaStore implements TenantFiles {
    private static final Logger log = LoggerFactory.getLogger(MediaStore.class);
    private static final int REQUEST_TIMEOUT = 408;
    /** Four portions wait between the file and the socket (PacedBody); smaller portions cost more CPU. */
    private static final int PORTION_BYTES = 64 << 10;

    private static final int ERASED_MAX = 200;

    private final @Nullable MediaStorage storage;
    private final MediaPuts puts;
    private final Duration silenceMax;
    private final BlockingCalls threads;

    /** @param storage null without a configured storage: uploads are M_FORBIDDEN, downloads M_NOT_FOUND */
    MediaStore(@Nullable MediaStorage storage, MediaPuts puts, Duration silenceMax, BlockingCalls threads) {
        this.storage = storage;
        this.puts = puts;
        this.silenceMax = silenceMax;
        this.threads = threads;
    }

    /** A stored content with its size in bytes and its first bytes. */
    public record Content(ContentHash hash, long size, FirstBytes beginning) {}

    /** Whether a storage is configured. */
    boolean isOpen() {
        return storage != null;
    }

    /**
     * Stores a file. On completion the content survives a loss of power and stays for at least one sweep interval, in which the
     * caller writes a row that refers to it. After a failure or a cancellation the sweeper deletes the leftovers. All parts are
     * consumed and released, also beyond the limit.
     *
     * @param most limit in bytes; M_TOO_LARGE above
     */
    public Mono<Content> put(TenantId tenant, Flux<DataBuffer> parts, long most) {
        return put(tenant, parts, most, _ -> true);
    }

    /** Stores a file whose first bytes match the predicate; empty for other files, of which nothing is kept. */
    Mono<Content> put(TenantId tenant, Flux<DataBuffer> parts, long most, Predicate<FirstBytes> accepted) {
        if (storage == null) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "this server takes no files"));
        }
        return Mono.usingWhen(
                threads.call(() -> new IncomingFile(
                                storage.incoming().resolve(UUID.randomUUID().toString()), most))
                        .onErrorMap(IOException.class, MediaStore::unavailable),
                file -> received(parts, file)
                        .filter(content -> accepted.test(content.beginning()))
                        .delayUntil(content -> puts.note(tenant, content.hash()))
                        .delayUntil(content -> threads.run(() -> storage.keep(tenant, content.hash(), file.path()))
                                .onErrorMap(IOException.class, MediaStore::unavailable)),
                file -> threads.run(file::discard));
    }

    private Mono<Content> received(Flux<DataBuffer> parts, IncomingFile file) {
        return threads.take(parts.timeout(silenceMax).onErrorMap(TimeoutException.class, _ -> tooSlow()))
                .map(file::take) // so that no released part is discarded again
                .then(Mono.fromCallable(file::finish).onErrorMap(IOException.class, MediaStore::unavailable))
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    /** The given number of bytes of a content. M_NOT_FOUND before the first byte if the storage lacks the content. */
    public Flux<DataBuffer> read(TenantId tenant, ContentHash hash, long from, long length) {
        if (storage == null) {
            return Flux.error(MediaId::notFound);
        }
        var all = DataBufferUtils.readInputStream(
                () -> storage.read(tenant, hash, from, length), DefaultDataBufferFactory.sharedInstance, PORTION_BYTES);
        return threads.read(DataBufferUtils.takeUntilByteCount(all, length))
                .onErrorMap(IOException.class, MediaStore::readFailure);
    }

    /** A content as a local file; blocks. M_NOT_FOUND. */
    public LocalFile local(TenantId tenant, ContentHash hash) {
        try {
            if (storage != null) {
                return storage.local(tenant, hash);
            }
        } catch (IOException e) {
            throw readFailure(e);
        }
        throw MediaId.notFound();
    }

    /** Fails unless a file can be stored now. */
    Mono<Void> check() {
        return storage == null ? Mono.empty() : threads.run(storage::check);
    }

    /** Deletes unfinished uploads last written before that instant. */
    Mono<Void> clean(Instant before) {
        return storage == null ? Mono.empty() : threads.run(() -> clean(storage, before));
    }

    private static void clean(MediaStorage storage, Instant before) throws IOException {
        for (var file : FolderStorage.entries(storage.incoming())) {
            if (FolderStorage.isOlder(file, before) && Files.deleteIfExists(file)) {
                log.atInfo().addKeyValue("file", file.getFileName()).log("an upload that never ended was removed");
            }
        }
    }

    /** Contents put before that instant and not since, by tenant and in portions. */
    Flux<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) {
        return storage == null
                ? Flux.empty()
                : threads.read(Flux.using(() -> storage.older(before), Flux::fromStream, Stream::close));
    }

    Mono<Void> delete(TenantId tenant, ContentHash hash) {
        return storage == null ? Mono.empty() : threads.run(() -> storage.delete(tenant, hash));
    }

    /** Deletes a portion of the tenant's contents and returns their number. */
    @Override
    public Mono<Long> erase(TenantId tenant) {
        return storage == null
                ? Mono.just(0L)
                : threads.call(() -> (long) storage.deleteSome(tenant, ERASED_MAX))
                        .onErrorMap(IOException.class, MediaStore::unavailable);
    }

    private static ApiException readFailure(IOException failure) {
        return failure instanceof NoSuchFileException ? MediaId.notFound() : unavailable(failure);
    }

    private static ApiException unavailable(IOException failure) {
        log.atWarn().setCause(failure).log("the storage of files failed");
        return ApiException.unavailable("the storage of files is not available, try again later");
    }

    private static ApiException tooSlow() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the body of the request did not come in time")
                .withStatus(REQUEST_TIMEOUT);
    }
}
