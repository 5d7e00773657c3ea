// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Session;

/** Token checks at a steady rate until closed. */
final class TokenChecks implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Session person;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Thread starter;
    private final Latencies latencies = new Latencies();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean stopped;

    TokenChecks(Session person) {
        this.person = person;
        this.starter = Thread.ofVirtual().start(this::run);
    }

    int count() {
        return count.get();
    }

    int failed() {
        return failed.get();
    }

    Latencies.Summary latencies() {
        return latencies.summary();
    }

    private void run() {
        while (!stopped) {
            threads.execute(this::check);
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }

    private void check() {
        count.incrementAndGet();
        long begunNanos = System.nanoTime();
        try {
            if (!person.call("GET", "/v3/account/whoami", null).isOk()) {
                failed.incrementAndGet();
            }
        } catch (IOException _) {
            failed.incrementAndGet();
        }
        latencies.add(System.nanoTime() - begunNanos);
    }

    /** Waits for the answers of all checks. */
    @Override
    public void close() {
        stopped = true;
        try {
            starter.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }
}
