package rookery.room.media;

import java.io.IOException;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Schedulers;
import rookery.platform.health.ReadinessCheck;

/** The store, and the threads that wait for disks. */
@Configuration(proxyBeanMethods = false)
class MediaConfiguration {
    private static final int FILE_THREADS_MAX = 8;
    private static final int FILE_TASKS_MAX = 10_000;

    @Bean
    static BlockingCalls fileThreads() {
        return new BlockingCalls(Schedulers.newBoundedElastic(FILE_THREADS_MAX, FILE_TASKS_MAX, "media-files"));
    }

    /** Few, since each holds a picture, and a queue that ends, since clients ask again. */
    @Bean
    static BlockingCalls pictureThreads(RoomMediaProperties properties) {
        var limits = properties.thumbnail();
        return new BlockingCalls(Schedulers.newBoundedElastic(limits.threads(), limits.waitingMax(), "media-pictures"));
    }

    /** No check where there is no store: the gateway says {@code off} then. */
    @Bean
    @ConditionalOnExpression("!environment.getProperty('rookery.room.media.folder', '').isBlank()")
    static ReadinessCheck mediaReadiness(MediaStore store) {
        return new ReadinessCheck("media", false, store.check());
    }

    @Bean
    static MediaStore mediaStore(RoomMediaProperties properties, BlockingCalls fileThreads) throws IOException {
        return properties.folder().isBlank()
                ? new NoMediaStore()
                : new FolderMediaStore(Path.of(properties.folder()), properties.silenceMax(), fileThreads);
    }
}
