// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The used memory of a JVM after a garbage collection.
 *
 * @param heapBytes of reachable objects
 * @param directBytes of buffers outside of the heap, as Netty counts them
 */
public record JvmMemory(long heapBytes, long directBytes) {
    public static final JvmMemory NONE = new JvmMemory(0, 0);

    private static final String HEAP = "jvm_memory_used_bytes{";
    private static final String DIRECT = "jvm_netty_direct_bytes";
    private static final int COLLECTION_SECONDS = 60;

    /** Collects garbage, then measures. */
    public static JvmMemory of(Instance instance) throws IOException {
        collect(instance.pid());
        var page = Nodes.metrics(instance);
        return new JvmMemory(sum(page, HEAP, "area=\"heap\""), sum(page, DIRECT, ""));
    }

    private static void collect(long pid) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.waitFor(COLLECTION_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long sum(String page, String name, String label) {
        return page.lines()
                .filter(line -> line.startsWith(name) && line.contains(label))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
