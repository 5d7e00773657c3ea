package rookery.standalone;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import rookery.embedded.Child;
import rookery.embedded.ServerException;
import rookery.program.Complaint;

/** Starts children again that end though nobody asked them to, and says so. */
final class Guard implements AutoCloseable {
    /** A child that lived as long as this is started again at once. */
    private static final Duration STEADY = Duration.ofSeconds(20);

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(15);

    /**
     * A child to look after.
     *
     * @param current the process that runs now
     * @param ended is told when it ended, before it is started again
     * @param startAgain returns when it does its work again
     */
    record GuardedChild(String name, Supplier<Child> current, Runnable ended, Runnable startAgain) {}

    private final Console console;
    private final Set<String> released = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Guard(Console console) {
        this.console = console;
    }

    void watch(GuardedChild ward) {
        released.remove(ward.name()); // a name may be given again
        Thread.ofVirtual().name("guard-" + ward.name()).start(() -> keepAlive(ward));
    }

    /** From now on this child may end. */
    void release(String name) {
        released.add(name);
    }

    private boolean isReleased(GuardedChild ward) {
        return closed || released.contains(ward.name());
    }

    /** From now on all children may end. */
    @Override
    public void close() {
        closed = true;
    }

    private void keepAlive(GuardedChild ward) {
        var pause = Duration.ZERO;
        while (true) {
            long sinceNanos = System.nanoTime();
            var child = ward.current().get();
            int exitValue = child.ended().join();
            if (isReleased(ward)) {
                return;
            }
            ward.ended().run();
            pause = System.nanoTime() - sinceNanos > STEADY.toNanos() ? Duration.ZERO : longer(pause);
            console.step(
                    "%s (pid %d) ended with %d and is started again".formatted(ward.name(), child.pid(), exitValue));
            pause = startAgain(ward, pause);
        }
    }

    /** Tries until it runs. Returns the pause after which it did. */
    private Duration startAgain(GuardedChild ward, Duration first) {
        var pause = first;
        while (true) {
            sleep(pause);
            if (isReleased(ward)) {
                return pause;
            }
            try {
                ward.startAgain().run();
                console.step("%s runs again (pid %d)"
                        .formatted(ward.name(), ward.current().get().pid()));
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
