package rookery.e2e.attack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;

/**
 * The used memory of each service's JVM after a garbage collection, by process id.
 *
 * @param heap bytes of reachable objects
 * @param direct bytes of buffers outside of the heap, as Netty counts them
 */
record Memory(Map<Long, Long> heap, Map<Long, Long> direct) {
    private static final String HEAP = "jvm_memory_used_bytes{";
    private static final String DIRECT = "jvm_netty_direct_bytes";
    private static final int GC_SECONDS = 60;

    /** Collects garbage in every JVM, then measures. */
    static Memory of(Rookery rookery) throws IOException {
        var heap = new TreeMap<Long, Long>();
        var direct = new TreeMap<Long, Long>();
        try (var client = HttpClient.newHttpClient()) {
            for (var instance : rookery.instances()) {
                if (instance.management() != null && !heap.containsKey(instance.pid())) {
                    collect(instance.pid());
                    String page = page(client, instance);
                    heap.put(instance.pid(), sum(page, HEAP, "area=\"heap\""));
                    direct.put(instance.pid(), sum(page, DIRECT, ""));
                }
            }
        }
        return new Memory(heap, direct);
    }

    private static void collect(long pid) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.waitFor(GC_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String page(HttpClient client, Instance instance) throws IOException {
        var uri = URI.create("http://" + instance.management() + "/actuator/prometheus");
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static long sum(String page, String name, String label) {
        return page.lines()
                .filter(line -> line.startsWith(name) && line.contains(label))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /**
     * Whether no JVM uses more than a tenth above the earlier value.
     *
     * @param slack further bytes, for the growth of caches
     */
    boolean isLike(Memory before, long slack) {
        return isLike(heap, before.heap, slack) && isLike(direct, before.direct, slack);
    }

    private static boolean isLike(Map<Long, Long> now, Map<Long, Long> before, long slack) {
        return now.entrySet().stream()
                .allMatch(each -> each.getValue() <= before.getOrDefault(each.getKey(), 0L) * 1.1 + slack);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        heap.forEach((pid, bytes) -> text.append(String.format(
                Locale.ROOT, " %d: %.1f + %.1f MB", pid, bytes / 1e6, direct.getOrDefault(pid, 0L) / 1e6)));
        return "heap + direct" + text;
    }
}
