// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Runs a task again and again until it is closed, on a virtual thread of its own: a task that waits for seconds would keep the only
 * thread of the scheduler. The task resumes its own failures and pauses itself.
 */
public final class RepeatedTask implements AutoCloseable {
    private final Thread thread;

    public RepeatedTask(String name, Supplier<Mono<Void>> task) {
        this.thread = Thread.ofVirtual().name(name).start(() -> run(task));
    }

    private static void run(Supplier<Mono<Void>> task) {
        try {
            while (true) {
                task.get().toFuture().get();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("every failure is resumed", e);
        }
    }

    /** Interrupts the thread. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
