package rookery.standalone;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedKafka;
import rookery.embedded.Folders;
import rookery.embedded.TestServers;

/**
 * The launcher as tests start it: from the jars that the build made, with the start that the build recorded from them (see
 * {@link StartRecordingApplication}), and compiled for a short life. Where there are no jars, as in an editor, from the class path of
 * the caller.
 */
public final class LauncherForTests {
    /** Compiling well would cost more than it brings. For all JVMs of a short-lived Rookery. */
    public static final List<String> SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1");

    static final Path BUILT = built();

    /** There while a start is recorded, which goes on beside the build, and afterwards if that went wrong. */
    static final Path RECORDING = BUILT.resolveSibling("recording");

    /** In it, of the process that records. */
    static final Path RECORDING_PID = RECORDING.resolve("pid");

    static final Path RECORDING_LOG = BUILT.resolveSibling("recording.log");

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private LauncherForTests() {}

    /** The words of a command line, to which further options of the launcher are added. */
    public static List<String> command() {
        return command(BUILT.getParent(), flags());
    }

    /**
     * The same.
     *
     * @param aot the folder of AOT caches, or null to do without
     * @param flags of the launcher's JVM
     */
    static List<String> command(@Nullable Path aot, List<String> flags) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=256m",
                "-Dio.netty.maxDirectMemory=234881024",
                "-Xss512k",
                EmbeddedKafka.LANGUAGE,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlogback.configurationFile=logback.xml", // not the tests'
                "-Drookery.jvm.flags=" + String.join(" ", SHORT_LIFE),
                "-Drookery.aot=" + aot,
                "-Drookery.binaries=" + TestServers.binaries(),
                "-cp",
                classPath(),
                LauncherApplication.class.getName(),
                "--push-to-private")); // to gateways of tests
        return command;
    }

    /** For a JVM that runs another main class of the launcher. */
    public static String classPath() {
        return isJar() ? BUILT + ":" + BUILT.resolveSibling("lib") + "/*" : System.getProperty("java.class.path");
    }

    /** For the same. */
    public static List<String> flags() {
        var flags = new ArrayList<>(SHORT_LIFE);
        if (isJar()) {
            flags.addAll(new StartCache(BUILT.getParent(), false).instanceFlags());
        }
        return flags;
    }

    /** Waits for the recorded start, with which all that follow take half the CPU. */
    public static void awaitRecordedStart() {
        Deadline.in(PATIENCE).until(() -> !Files.exists(RECORDING) || isCutOff());
        if (Files.exists(RECORDING)) {
            throw new IllegalStateException(
                    "no start was recorded, see %s; delete %s to do without".formatted(RECORDING_LOG, RECORDING));
        }
    }

    /** Whether who recorded is gone, and left it unfinished. */
    private static boolean isCutOff() {
        var pid = Folders.textOf(RECORDING_PID);
        return pid != null && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    private static boolean isJar() {
        return Files.isRegularFile(BUILT);
    }

    private static Path built() {
        try {
            return Path.of(LauncherForTests.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
