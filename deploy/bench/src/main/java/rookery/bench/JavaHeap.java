package rookery.bench;

import java.io.IOException;
import java.nio.file.Path;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;

/** What a process holds on its heap when everything that can be collected is. */
final class JavaHeap {
    private static final String USED = "jvm_memory_used_bytes{";

    private JavaHeap() {}

    /** Bytes in use after a collection. */
    static long bytesAfterCollection(Instance instance) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var collection = new ProcessBuilder(jcmd, Long.toString(instance.pid()), "GC.run")
                .redirectErrorStream(true)
                .start();
        collection.getInputStream().readAllBytes();
        return Nodes.metrics(instance)
                .lines()
                .filter(line -> line.startsWith(USED) && line.contains("area=\"heap\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
