// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Runs work with a source of records on its own thread, again with a new source after each end or failure, until closed.
 *
 * @param <S> the source: a Kafka consumer, or what takes its place
 */
public final class ConsumerThread<S> implements AutoCloseable {
    private static final long PAUSE_MILLIS = 200;

    private final Source<S> source;
    private final java.util.function.Consumer<S> work;
    private final java.util.function.Consumer<Throwable> failed;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile @Nullable S polling;

    /**
     * A kind of source.
     *
     * @param wakeUp ends the present poll or the next one; called by other threads
     */
    public record Source<S>(
            Supplier<S> open, java.util.function.Consumer<S> wakeUp, java.util.function.Consumer<S> close) {
        /**
         * A Kafka consumer. Its end does not wait for the answer to a fetch, which takes up to {@code fetch.max.wait.ms}; the
         * broker ends the session of the fetches itself.
         */
        public static Source<Consumer<String, byte[]>> of(ConsumerFactory<String, byte[]> consumers) {
            return new Source<>(
                    consumers::createConsumer,
                    Consumer::wakeup,
                    consumer -> consumer.close(CloseOptions.timeout(Duration.ZERO)));
        }
    }

    /** @param work runs until {@link #isStopped}; {@link #wakeUp} and {@link #close} end its poll */
    public ConsumerThread(
            String name,
            Source<S> source,
            java.util.function.Consumer<S> work,
            java.util.function.Consumer<Throwable> failed) {
        this.source = source;
        this.work = work;
        this.failed = failed;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Ends the current poll, or the next one. */
    public void wakeUp() {
        var present = polling;
        if (present != null) {
            source.wakeUp.accept(present);
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        wakeUp();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(1)); // the thread stops by itself unless it waits for something else
            thread.interrupt();
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!isStopped()) {
            try {
                runOnce();
            } catch (RuntimeException | Error e) { // no other thread would restart the work
                if (!isStopped()) {
                    failed.accept(e);
                    pause();
                }
            }
        }
    }

    private void runOnce() {
        var opened = source.open.get();
        try {
            polling = opened;
            work.accept(opened);
        } finally {
            polling = null;
            source.close.accept(opened);
        }
    }

    /** Pauses after a failure, until the end of the pause or {@link #close}. */
    private void pause() {
        try {
            stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopping
        }
    }
}
