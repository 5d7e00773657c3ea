// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Schedulers;
import rookery.platform.disk.WatchedFolder;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.runtime.BackgroundThreads;

/** The media store and its pools of blocking threads. */
@Configuration(proxyBeanMethods = false)
class MediaConfiguration {
    private static final Logger log = LoggerFactory.getLogger(MediaConfiguration.class);
    private static final String HAS_FOLDER = "!environment.getProperty('rookery.room.media.folder', '').isBlank()";
    private static final String HAS_BUCKET = "!environment.getProperty('rookery.room.media.bucket.name', '').isBlank()";
    private static final int FILE_THREADS_MAX = 8;
    /** More threads than for a folder, since each waits for another machine instead of the local disk. */
    private static final int BUCKET_THREADS_MAX = 32;

    private static final int FILE_TASKS_MAX = 10_000;
    /** An idle thread ends after this time, as those of the other schedulers. */
    private static final int TTL_SECONDS = 60;

    private static final int PAGE_THREADS_MAX = 2;
    private static final int PAGES_MAX = 1_000;

    @Bean
    static BlockingCalls fileThreads(RoomMediaProperties properties) {
        int threads = properties.bucket().name().isBlank() ? FILE_THREADS_MAX : BUCKET_THREADS_MAX;
        return new BlockingCalls(Schedulers.newBoundedElastic(threads, FILE_TASKS_MAX, "media-files"));
    }

    /** Few threads, since each decodes a picture in memory. The queue is bounded: clients ask again. */
    @Bean
    static BlockingCalls pictureThreads(RoomMediaProperties properties) {
        var limits = properties.thumbnail();
        return new BlockingCalls(Schedulers.newBoundedElastic(
                limits.threads(), limits.waitingMax(), BackgroundThreads.named("media-pictures-"), TTL_SECONDS));
    }

    /** Few threads, since the parsed tree takes many times the memory of the page. */
    @Bean
    static BlockingCalls pageThreads() {
        return new BlockingCalls(Schedulers.newBoundedElastic(PAGE_THREADS_MAX, PAGES_MAX, "media-pages"));
    }

    /** Without a storage no readiness check exists, and the gateway reports media as {@code off}. */
    @Bean
    @ConditionalOnExpression(HAS_FOLDER + " || " + HAS_BUCKET)
    static ReadinessCheck mediaReadiness(MediaStore store) {
        return new ReadinessCheck("media", false, store.check());
    }

    /** The folder of files; with a bucket, the folder of unfinished uploads. */
    @Bean
    @ConditionalOnExpression(HAS_FOLDER)
    static WatchedFolder mediaDisk(RoomMediaProperties properties) {
        return new WatchedFolder("media", Path.of(properties.folder()), false);
    }

    @Bean
    static MediaStore mediaStore(
            RoomMediaProperties properties,
            ObjectProvider<MediaStorage> storage,
            MediaPuts puts,
            BlockingCalls fileThreads) {
        return new MediaStore(storage.getIfAvailable(), puts, properties.silenceMax(), fileThreads);
    }

    @Bean
    @ConditionalOnExpression(HAS_FOLDER + " || " + HAS_BUCKET)
    static MediaStorage mediaStorage(RoomMediaProperties properties) throws IOException {
        if (properties.bucket().name().isBlank()) {
            return new FolderStorage(Path.of(properties.folder()));
        }
        if (!properties.folder().isBlank()) {
            warnOfFilesIn(properties.folder());
        }
        return new BucketStorage(properties.bucket(), properties.folder());
    }

    private static void warnOfFilesIn(String folder) throws IOException {
        try (var files = new FolderStorage(Path.of(folder)).older(Instant.MAX)) {
            if (files.findAny().isPresent()) {
                log.atWarn()
                        .addKeyValue("folder", folder)
                        .log("files in the folder are not served: copy them into the bucket, as TENANT/HASH");
            }
        }
    }
}
