package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A process that stands still while this is open: it holds its connections, and answers nothing. */
public final class Frozen implements AutoCloseable {
    private final long pid;

    private Frozen(long pid) {
        this.pid = pid;
    }

    /** Stops the process of that name, such as {@code redis-1}. */
    public static Frozen freeze(Rookery rookery, String name) {
        long pid = Objects.requireNonNull(rookery.instance(name), name + " does not run")
                .pid();
        signal("STOP", pid);
        return new Frozen(pid);
    }

    @Override
    public void close() {
        signal("CONT", pid);
    }

    private static void signal(String signal, long pid) {
        try {
            int exitValue = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitValue != 0) {
                throw new IllegalStateException("kill -%s %d: %d".formatted(signal, pid, exitValue));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
