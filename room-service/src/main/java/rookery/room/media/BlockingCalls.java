// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.util.concurrent.Callable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs blocking work for disks and CPU on a bounded pool of threads, never on an event loop. A full queue
 * fails with RejectedExecutionException.
 */
public final class BlockingCalls implements AutoCloseable {
    /** Prefetched parts of a file, a few KiB each, between the disk and the network. */
    private static final int PARTS_AHEAD = 4;

    private final Scheduler threads;

    BlockingCalls(Scheduler threads) {
        this.threads = threads;
    }

    /** The call's result, computed on a thread of the pool; empty for null. */
    public <T> Mono<T> call(Callable<? extends T> call) {
        return Mono.just(call).publishOn(threads).flatMap(Mono::fromCallable);
    }

    interface Action {
        void run() throws Exception;
    }

    Mono<Void> run(Action action) {
        return call(() -> {
                    action.run();
                    return true;
                })
                .then();
    }

    /** The same parts, delivered on a thread of the pool, where the subscriber may block. */
    Flux<DataBuffer> take(Flux<DataBuffer> parts) {
        return parts.publishOn(threads, PARTS_AHEAD);
    }

    /** Items of a blocking source, requested on a thread of the pool. */
    <T> Flux<T> read(Flux<T> items) {
        return Mono.just(items)
                .publishOn(threads)
                .flatMapMany(blocking ->
                        blocking.publishOn(threads, PARTS_AHEAD)) // refills its prefetch on a thread of the pool
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
