// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;

/** Runs work with a Kafka consumer on its own thread, again with a new consumer after each end or failure, until closed. */
public final class ConsumerThread implements AutoCloseable {
    private static final long PAUSE_MILLIS = 200;

    private final ConsumerFactory<String, byte[]> consumers;
    private final java.util.function.Consumer<Consumer<String, byte[]>> work;
    private final java.util.function.Consumer<Throwable> failed;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile @Nullable Consumer<String, byte[]> polling;

    /** @param work runs until {@link #isStopped}; {@link #wakeUp} and {@link #close} interrupt its poll */
    public ConsumerThread(
            String name,
            ConsumerFactory<String, byte[]> consumers,
            java.util.function.Consumer<Consumer<String, byte[]>> work,
            java.util.function.Consumer<Throwable> failed) {
        this.consumers = consumers;
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

    /** Ends the current poll, or the next one, by a WakeupException. */
    public void wakeUp() {
        var consumer = polling;
        if (consumer != null) {
            consumer.wakeup();
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
            try (var consumer = consumers.createConsumer()) {
                polling = consumer;
                work.accept(consumer);
            } catch (RuntimeException | Error e) { // no other thread would restart the work
                if (!isStopped()) {
                    failed.accept(e);
                    pause();
                }
            } finally {
                polling = null;
            }
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
