package rookery.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's AOT caches, made once after a build by a run that starts, has a short conversation with itself and stops: with them the
 * classes of the services and of Kafka are loaded and linked already, and the JVM knows which methods are worth compiling. A cache that does not fit the class path is left aside by the JVM.
 *
 * @param folder with the caches, or null to do without
 * @param training whether this run is the one that makes them
 */
record StartCache(@Nullable Path folder, boolean training) {
    private static final String FOLDER = "rookery.aot";
    private static final String TRAINING = "rookery.aot.training";

    /** As {@code deploy/run} says. */
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

    /** An instance of a cluster has the class path of the launcher, and its classes are among the launcher's. */
    List<String> instanceFlags() {
        var cache = folder == null ? null : folder.resolve("launcher.aot");
        return cache != null && !training && Files.exists(cache) ? flags(cache) : List.of();
    }

    private static List<String> flags(Path cache) {
        return List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off");
    }
}
