// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import rookery.embedded.EmbeddedKafka;

/** JVM flags of the launcher's children. The launcher's own flags are in {@code deploy/run}. */
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

    /** Further flags for all children, separated by spaces; tests set flags for short-lived JVMs. */
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
     * Netty's limit is an eighth below the JVM's. Netty fails immediately; the JVM would first collect garbage and wait half a
     * second on an event loop for each requested buffer.
     */
    private static List<String> memory(int heapMib, int directMib) {
        long nettyBytes = directMib * MIB / 8 * 7;
        return List.of(
                "-Xmx%dm".formatted(heapMib),
                "-XX:MaxDirectMemorySize=%dm".formatted(directMib),
                "-Dio.netty.maxDirectMemory=%d".formatted(nettyBytes));
    }
}
