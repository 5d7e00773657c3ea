// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.time.Duration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Waits, between the graceful shutdown of the web server and its stop, for the end of the shutdown thread.
 *
 * <p>Spring Boot 4.1 starts the stop while that thread still has some lines to run. If the stop begins between two of them
 * ({@code GracefulShutdown.abort} reads one field before and one after), the thread waits for ever, and the process never ends.
 */
final class GracefulShutdownEnd implements SmartLifecycle {
    private static final String THREAD = "netty-shutdown";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private volatile boolean running;

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            for (var thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals(THREAD)) {
                    thread.join(PATIENCE); // a shutdown thread of another context in this process may wait for requests
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Phases stop from the highest to the lowest. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }
}
