package rookery.room.media;

import java.util.concurrent.Callable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Threads for what waits for a disk or takes long, so that no loop does. Where there are too many calls: RejectedExecutionException. */
public final class BlockingCalls implements AutoCloseable {
    /** How many parts of one file, of some KiB each, are held on their way to or from the disk. */
    private static final int PARTS_AHEAD = 4;

    private final Scheduler threads;

    BlockingCalls(Scheduler threads) {
        this.threads = threads;
    }

    /** What it answers; null is empty. */
    public <T> Mono<T> call(Callable<? extends T> call) {
        return Mono.just(call).publishOn(threads).flatMap(Mono::fromCallable);
    }

    /** Parts from elsewhere, for who blocks on each. */
    Flux<DataBuffer> take(Flux<DataBuffer> parts) {
        return parts.publishOn(threads, PARTS_AHEAD);
    }

    /** Items that block whoever asks for them, for who must not be blocked. */
    <T> Flux<T> read(Flux<T> items) {
        return Mono.just(items)
                .publishOn(threads)
                .flatMapMany(blocking -> blocking.publishOn(threads, PARTS_AHEAD)) // which asks for more on its thread
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
