// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.room.RoomDatabase;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.RoomMediaProperties.Quota;
import rookery.room.media.RoomMediaProperties.RedactedFiles;
import rookery.room.media.RoomMediaProperties.Thumbnail;
import rookery.room.media.download.Dimensions;
import rookery.room.media.download.Thumbnails;

/** Which contents are kept and which deleted, in a folder and in a bucket, on a real database (decision 0016). */
class MediaStorageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Instant FUTURE = Instant.parse("2100-01-01T00:00:00Z");
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
    private static final TenantId TENANT = new TenantId(7);
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final DataSize NONE = DataSize.ofBytes(0);
    private static final RoomMediaProperties PROPERTIES = new RoomMediaProperties(
            "",
            new RoomMediaProperties.Bucket("", "", "", "", "", "", true),
            false,
            PATIENCE,
            Duration.ofHours(24),
            10,
            Duration.ofHours(1),
            new RedactedFiles(Duration.ofDays(7), Duration.ofMinutes(1)),
            new Thumbnail(1, DataSize.ofMegabytes(32), 1, 1, PATIENCE, NONE),
            new Quota(NONE, NONE));

    @TempDir
    static Path folder = Path.of("");

    private static S3Server s3;
    private static final BlockingCalls threads = new BlockingCalls(Schedulers.newBoundedElastic(4, 100, "test-files"));

    private final DatabaseClient db = RoomDatabase.fresh();
    private final MediaFiles files = new MediaFiles(db);
    private final MediaPuts puts = puts(Clock.systemUTC());

    @BeforeAll
    static void start() {
        s3 = S3Server.start();
    }

    @AfterAll
    static void close() {
        threads.close();
        s3.close();
    }

    static Stream<MediaStorage> storages() throws IOException {
        return Stream.of(
                new FolderStorage(Files.createTempDirectory(folder, "media")),
                new BucketStorage(s3.bucket(), folder.resolve("bucket").toString()));
    }

    private MediaPuts puts(Clock clock) {
        return new MediaPuts(
                db, TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory())), files, clock);
    }

    private MediaStore store(MediaStorage storage) {
        return new MediaStore(storage, puts, PATIENCE, threads);
    }

    private MediaSweeper sweeper(MediaStore store, Instant now) {
        return new MediaSweeper(store, files, puts, PROPERTIES, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static Flux<DataBuffer> parts(String text) {
        return Flux.fromStream(text::lines)
                .map(line -> DefaultDataBufferFactory.sharedInstance.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }

    private static ContentHash put(MediaStore store, String text) {
        return Objects.requireNonNull(store.put(TENANT, parts(text), 100).block(PATIENCE))
                .hash();
    }

    /** The content as text; empty if missing. */
    private static String text(MediaStore store, ContentHash hash, int length) {
        try {
            var all = DataBufferUtils.join(store.read(TENANT, hash, 0, length)).block(PATIENCE);
            String text = Objects.requireNonNull(all).toString(StandardCharsets.UTF_8);
            DataBufferUtils.release(all);
            return text;
        } catch (ApiException e) {
            assertThat(e.code).isEqualTo(ErrorCode.M_NOT_FOUND);
            return "";
        }
    }

    private static List<Path> incoming(MediaStorage storage) throws IOException {
        try (var all = Files.list(storage.incoming())) {
            return all.toList();
        }
    }

    @ParameterizedTest
    @MethodSource("storages")
    void equalContentsAreOneOfATenant(MediaStorage storage) throws IOException {
        var store = store(storage);
        var hash = put(store, "a\nbc");
        assertThat(put(store, "ab\nc")).isEqualTo(hash);
        assertThat(hash.hex()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(text(store, hash, 3)).isEqualTo("abc");
        assertThat(text(store, hash, 2)).isEqualTo("ab");
        try (var local = store.local(TENANT, hash)) {
            assertThat(local.path()).hasContent("abc");
        }
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> store.local(new TenantId(8), hash));
        assertThat(incoming(storage)).isEmpty();
        assertThat(store.older(FUTURE).collectList().block(PATIENCE)).contains(Map.entry(TENANT, List.of(hash)));
        assertThat(store.older(PAST).collectList().block(PATIENCE)).isEmpty();
        store.check().block(PATIENCE);
    }

    @ParameterizedTest
    @MethodSource("storages")
    void whatFailsLeavesNothing(MediaStorage storage) throws IOException {
        var store = store(storage);
        var broken = parts("z").concatWith(Flux.error(new IllegalStateException("gone")));
        assertThat(store.put(TENANT, broken, 100).onErrorComplete().block(PATIENCE))
                .isNull();
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> store.put(TENANT, parts("z\nzz"), 2).block(PATIENCE))
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_TOO_LARGE));
        assertThat(incoming(storage)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("storages")
    void whatNoRowNamesGoesAndWhatOneNamesStays(MediaStorage storage) {
        var store = store(storage);
        var file = new Stored(put(store, "a file"), 6, "text/plain", null, null);
        var thumbnail = new Stored(put(store, "its thumbnail"), 13, "image/png", null, null);
        var orphan = put(store, "an orphan");
        files.insert(TENANT, new MediaId("f"), ADA, file, 1).block(PATIENCE);
        new Thumbnails(db)
                .insert(TENANT, file.hash(), Dimensions.of(32, 32, true), thumbnail)
                .block(PATIENCE);
        files.reserve(TENANT, new MediaId("ended"), ADA, 1, 2).block(PATIENCE);
        files.reserve(TENANT, new MediaId("later"), ADA, 1, Long.MAX_VALUE).block(PATIENCE);

        sweeper(store, Instant.now()).sweep().block(PATIENCE);
        assertThat(text(store, orphan, 9)).as("its row may still come").isEqualTo("an orphan");
        sweeper(store, FUTURE).sweep().block(PATIENCE);

        assertThat(text(store, orphan, 9)).isEmpty();
        assertThat(text(store, file.hash(), 6)).isEqualTo("a file");
        assertThat(text(store, thumbnail.hash(), 13)).isEqualTo("its thumbnail");
        assertThat(files.find(TENANT, new MediaId("f")).block(PATIENCE)).isEqualTo(file);
        assertThat(files.find(TENANT, new MediaId("ended")).block(PATIENCE)).isNull();
        assertThat(files.find(TENANT, new MediaId("later")).block(PATIENCE)).isNotNull();
        var noted =
                db.sql("SELECT FROM room.media_put WHERE tenant = 7").fetch().all();
        assertThat(noted.collectList().block(PATIENCE)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("storages")
    void whatIsUploadedAgainIsNotDeletedForBeingOldOnce(MediaStorage storage) {
        var store = store(storage);
        var hash = put(store, "again");
        puts.delete(TENANT, hash, PAST, store.delete(TENANT, hash)).block(PATIENCE);
        assertThat(text(store, hash, 5)).isEqualTo("again");
    }

    @ParameterizedTest
    @MethodSource("storages")
    void anUploadWaitsForADeletionThatHasBegunAndIsThereAfterIt(MediaStorage storage) {
        var store = store(storage);
        var hash = put(store, "both");
        var begun = new CompletableFuture<Void>();
        var goOn = new CompletableFuture<Void>();
        var deletion = Mono.fromRunnable(() -> begun.complete(null))
                .then(Mono.fromFuture(goOn))
                .then(store.delete(TENANT, hash));
        var deleted = puts.delete(TENANT, hash, FUTURE, deletion).toFuture();
        begun.join();
        var upload = store.put(TENANT, parts("both"), 100).toFuture();
        assertThat(upload).isNotDone();
        goOn.complete(null);
        deleted.join();
        assertThat(upload.join().hash()).isEqualTo(hash);
        assertThat(text(store, hash, 4)).isEqualTo("both");
    }

    @Test
    void leftoversOfUploadsGoAndWhatIsComingStays() throws IOException {
        var storage = new FolderStorage(folder.resolve("leftovers"));
        var old = Files.writeString(storage.incoming().resolve("old"), "x");
        var young = Files.writeString(storage.incoming().resolve("young"), "x");
        Files.setLastModifiedTime(old, FileTime.from(PAST));
        store(storage).clean(PAST.plusSeconds(1)).block(PATIENCE);
        assertThat(incoming(storage)).containsExactly(young);
    }
}
