// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's AOT caches. After a build a training run starts, plays a short conversation and stops; later runs find the classes of
 * the services and of Kafka loaded and linked, and method profiles. The JVM ignores a cache for another class path.
 *
 * @param folder with the caches, or null
 * @param training whether this run makes the caches
 */
record StartCache(@Nullable Path folder, boolean training) {
    private static final String FOLDER = "rookery.aot";
    private static final String TRAINING = "rookery.aot.training";

    /** The settings of {@code deploy/run}. */
    static StartCache ofSystemProperties() {
        var folder = System.getProperty(FOLDER);
        return new StartCache(folder == null ? null : Path.of(folder), Boolean.getBoolean(TRAINING));
    }

    List<String> kafkaFlags() {
        return Stream.concat(JvmFlags.further().stream(), cacheFlags().stream()).toList();
    }

    private List<String> cacheFlags() {
        if (folder == null) {
            return List.of();
        }
        var cache = folder.resolve("kafka.aot");
        if (training) {
            return List.of("-XX:AOTCacheOutput=" + cache);
        }
        return Files.exists(cache) ? flags(cache) : List.of();
    }

    /** The flags for an instance of a cluster, which shares the launcher's class path and cache. */
    List<String> instanceFlags() {
        var cache = folder == null ? null : folder.resolve("launcher.aot");
        return cache != null && !training && Files.exists(cache) ? flags(cache) : List.of();
    }

    /**
     * By default the JVM maps a cache at a random address and rewrites all pointers in it, so that no page is shared. At its own
     * address the JVMs of a cluster share the cache's classes.
     */
    private static List<String> flags(Path cache) {
        return List.of(
                "-XX:AOTCache=" + cache,
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-Xlog:aot*=off",
                "-Xlog:cds*=off");
    }
}
