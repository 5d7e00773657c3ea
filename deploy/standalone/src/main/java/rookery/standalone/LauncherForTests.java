// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Child;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedKafka;
import rookery.embedded.Folders;
import rookery.embedded.TestServers;

/**
 * Command lines of the launcher for tests: from the built jars with the recorded start caches (see {@link
 * StartRecordingApplication}), with the fast compiler only. Without jars, as in an editor, from the caller's class path.
 */
public final class LauncherForTests {
    /** Optimized compilation costs more than a short-lived JVM gains. For all JVMs of a short-lived Rookery. */
    public static final List<String> SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1");

    static final Path BUILT = built();

    /** Exists while a start is recorded in parallel to the build, and after a failed recording. */
    static final Path RECORDING = BUILT.resolveSibling("recording");

    /** A file in it with the process id of the recording. */
    static final Path RECORDING_PID = RECORDING.resolve("pid");

    static final Path RECORDING_LOG = BUILT.resolveSibling("recording.log");

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private LauncherForTests() {}

    /** The command line, without further options of the launcher. */
    public static List<String> command() {
        return command(BUILT.getParent(), flags());
    }

    /**
     * The command line.
     *
     * @param aot the folder of AOT caches, or null
     * @param flags of the launcher's JVM
     */
    static List<String> command(@Nullable Path aot, List<String> flags) {
        var command = new ArrayList<String>();
        command.add(Child.java());
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
                "-Dlogback.configurationFile=logback.xml", // not the configuration of the tests
                "-Drookery.jvm.flags=" + String.join(" ", SHORT_LIFE),
                "-Drookery.aot=" + aot,
                "-Drookery.binaries=" + TestServers.binaries(),
                "-cp",
                classPath(),
                LauncherApplication.class.getName(),
                "--push-to-private")); // for the push gateways of tests
        return command;
    }

    /** The class path for other main classes of the launcher. */
    public static String classPath() {
        return isJar() ? BUILT + ":" + BUILT.resolveSibling("lib") + "/*" : System.getProperty("java.class.path");
    }

    /** The flags for a JVM with that class path. */
    public static List<String> flags() {
        var flags = new ArrayList<>(SHORT_LIFE);
        if (isJar()) {
            flags.addAll(new StartCache(BUILT.getParent(), false).instanceFlags());
        }
        return flags;
    }

    /** Waits for the recording of the start, which halves the CPU time of later starts. */
    public static void awaitRecordedStart() {
        Deadline.in(PATIENCE).until(() -> !Files.exists(RECORDING) || isCutOff());
        if (Files.exists(RECORDING)) {
            throw new IllegalStateException(
                    "no start was recorded, see %s; delete %s to do without".formatted(RECORDING_LOG, RECORDING));
        }
    }

    /** Whether the recording process died before the end. */
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
