// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import rookery.bench.ClosedLoop.Request;

/**
 * Runs a closed loop and prints throughput, latencies and CPU time.
 *
 * @param data the data folder of the measured Rookery; null for a Rookery on another machine
 */
record Measurement(int clients, Duration length, @Nullable Path data) {
    void report(String title, Request request) {
        var costs = Costs.begin(data);
        var result = new ClosedLoop(clients, length).run(request);
        var used = costs.used();
        int answered = Math.max(1, result.answered());
        System.out.println("%-22s %8.1f a second, %d failed; %s"
                .formatted(
                        title,
                        result.perSecond(),
                        result.failed(),
                        result.latencies().summary()));
        used.print(answered, "each");
    }
}
