// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts all processes from one thread that lives as long as the JVM: the kernel's parent-death signal follows the thread that
 * started a child, not the process.
 */
public final class Spawner {
    private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("spawner").factory());

    private Spawner() {}

    /**
     * Starts a process that gets SIGTERM when this JVM ends for any reason; without {@code setpriv} on the system the
     * process continues.
     */
    public static Process startEndingWithUs(ProcessBuilder builder) throws IOException {
        var command = new ArrayList<>(Tools.dyingWithUs(Child.Signal.TERM));
        command.addAll(builder.command());
        return start(builder.command(command));
    }

    static Process start(ProcessBuilder builder) throws IOException {
        try {
            return THREAD.submit(builder::start).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        }
    }
}
