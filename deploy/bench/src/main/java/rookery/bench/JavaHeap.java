package rookery.bench;

import java.io.IOException;
import java.nio.file.Path;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;

/** The used heap of a process after a garbage collection. */
final class JavaHeap {
    private static final String USED = "jvm_memory_used_bytes{";

    private JavaHeap() {}

    /** Collects garbage. Returns the used bytes. */
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
