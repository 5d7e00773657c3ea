package rookery.platform.http;

import java.time.Duration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Waits, between the graceful shutdown of the web server and its end, for the thread that did the former.
 *
 * <p>Spring Boot 4.1 goes on from the one to the other while that thread has some lines left; where the end begins between two of them
 * ({@code GracefulShutdown.abort} reads one field before and one after), it waits for ever, and the process never ends.
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
                    thread.join(PATIENCE); // of another context in this process it may wait for requests
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

    /** Phases are stopped from the highest to the lowest. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }
}
