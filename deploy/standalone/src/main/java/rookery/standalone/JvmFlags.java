package rookery.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How much memory the JVMs get that the launcher starts. Its own flags are in {@code deploy/run}. */
final class JvmFlags {
    private static final List<String> COMMON = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dorg.springframework.boot.logging.LoggingSystem=none");

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
        flags.add(
                switch (service) {
                    case GATEWAY, ROOM, SYNC -> "-Xmx320m";
                    case AUTH, DIRECTORY, PUSH, ADMIN -> "-Xmx192m";
                });
        flags.addAll(further());
        return flags;
    }
}
