package rookery.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import rookery.embedded.EmbeddedKafka;

/** How much memory the JVMs get that the launcher starts. Its own flags are in {@code deploy/run}. */
final class JvmFlags {
    private static final List<String> COMMON = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError",
            EmbeddedKafka.LANGUAGE,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dorg.springframework.boot.logging.LoggingSystem=none");

    private static final long MIB = 1024 * 1024;

    /** More flags for all JVMs that the launcher starts, separated by spaces: those of tests live shortly. */
    private static final String FURTHER = "rookery.jvm.flags";

    private JvmFlags() {}

    static List<String> further() {
        return Stream.of(System.getProperty(FURTHER, "").split(" "))
                .filter(flag -> !flag.isBlank())
                .toList();
    }

    static List<String> ofInstance(Service service) {
        var flags = new ArrayList<>(COMMON);
        flags.addAll(
                switch (service) {
                    case GATEWAY -> memory(320, 128);
                    case ROOM, SYNC -> memory(320, 96);
                    case AUTH, DIRECTORY, PUSH, ADMIN -> memory(192, 64);
                });
        flags.addAll(further());
        return flags;
    }

    /**
     * Netty's own bound is an eighth below the JVM's. Netty refuses at once; the JVM first collects garbage and waits, on an event
     * loop, for half a second with each buffer that is asked for.
     */
    private static List<String> memory(int heapMib, int directMib) {
        long nettyBytes = directMib * MIB / 8 * 7;
        return List.of(
                "-Xmx%dm".formatted(heapMib),
                "-XX:MaxDirectMemorySize=%dm".formatted(directMib),
                "-Dio.netty.maxDirectMemory=%d".formatted(nettyBytes));
    }
}
