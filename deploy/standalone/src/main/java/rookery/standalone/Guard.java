// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import rookery.embedded.Child;
import rookery.embedded.ServerException;
import rookery.program.Complaint;

/** Restarts child processes that end unexpectedly, and prints a line. */
final class Guard implements AutoCloseable {
    /** A child that ran at least this long is restarted without a pause. */
    private static final Duration STEADY = Duration.ofSeconds(20);

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(15);

    /**
     * A supervised child process.
     *
     * @param current the current process
     * @param ended called after the end of the process, before the restart
     * @param startAgain restarts the process; returns when the process works
     */
    record GuardedChild(String name, Supplier<Child> current, Runnable ended, Runnable startAgain) {}

    private final Console console;
    private final Set<String> released = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Guard(Console console) {
        this.console = console;
    }

    void watch(GuardedChild child) {
        released.remove(child.name()); // a later instance may have the same name
        Thread.ofVirtual().name("guard-" + child.name()).start(() -> keepAlive(child));
    }

    /** Ends the supervision of a child. */
    void release(String name) {
        released.add(name);
    }

    private boolean isReleased(GuardedChild child) {
        return closed || released.contains(child.name());
    }

    /** Ends the supervision of all children. */
    @Override
    public void close() {
        closed = true;
    }

    private void keepAlive(GuardedChild child) {
        var pause = Duration.ZERO;
        while (true) {
            long sinceNanos = System.nanoTime();
            var process = child.current().get();
            int exitValue = process.ended().join();
            if (isReleased(child)) {
                return;
            }
            child.ended().run();
            pause = System.nanoTime() - sinceNanos > STEADY.toNanos() ? Duration.ZERO : longer(pause);
            console.step(
                    "%s (pid %d) ended with %d and is started again".formatted(child.name(), process.pid(), exitValue));
            pause = startAgain(child, pause);
        }
    }

    /** Retries until the restart succeeds. Returns the last pause. */
    private Duration startAgain(GuardedChild child, Duration first) {
        var pause = first;
        while (true) {
            sleep(pause);
            if (isReleased(child)) {
                return pause;
            }
            try {
                child.startAgain().run();
                console.step("%s runs again (pid %d)"
                        .formatted(child.name(), child.current().get().pid()));
                return pause;
            } catch (ServerException | Complaint e) {
                pause = longer(pause);
                console.step("%s; next attempt in %d s".formatted(e.getMessage(), pause.toSeconds()));
            }
        }
    }

    private static Duration longer(Duration pause) {
        if (pause.isZero()) {
            return PAUSE_FIRST;
        }
        var doubled = pause.multipliedBy(2);
        return doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
