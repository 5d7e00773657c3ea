// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.e2e.api.Answer;

/**
 * A closed loop: a fixed number of clients, each sending its next request after the last response. Measures the
 * maximum throughput.
 */
final class ClosedLoop {
    private final int clients;
    private final Duration length;

    ClosedLoop(int clients, Duration length) {
        this.clients = clients;
        this.length = length;
    }

    /** One request of a client; clients are numbered from 0. */
    interface Request {
        Answer send(int client) throws IOException;
    }

    /** The result of a run. */
    record Result(int answered, int failed, double seconds, Latencies latencies) {
        double perSecond() {
            return answered / seconds;
        }
    }

    /** Runs the clients. Returns after the last response of each; every response but a success counts as failed. */
    Result run(Request request) {
        var latencies = new Latencies();
        var failed = new AtomicInteger();
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + length.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                int client = i;
                threads.execute(() -> repeat(request, client, endNanos, latencies, failed));
            }
        }
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        return new Result(latencies.summary().count(), failed.get(), seconds, latencies);
    }

    private static void repeat(Request request, int client, long endNanos, Latencies latencies, AtomicInteger failed) {
        while (System.nanoTime() - endNanos < 0) {
            long begunNanos = System.nanoTime();
            try {
                if (request.send(client).isOk()) {
                    latencies.add(System.nanoTime() - begunNanos);
                } else {
                    failed.incrementAndGet();
                }
            } catch (IOException e) {
                failed.incrementAndGet();
            }
        }
    }
}
