package rookery.standalone;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import rookery.embedded.TestServers;

/**
 * The launcher as tests start it: from the jars that the build made, with the start that the build recorded from them (see the
 * pom), and compiled for a short life. Where there are no jars, as in an editor, from the class path of the caller.
 */
public final class LauncherForTests {
    /** Compiling well would cost more than it brings. For all JVMs of a short-lived Rookery. */
    public static final List<String> SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1");

    private static final Path BUILT = built();

    private LauncherForTests() {}

    /** The words of a command line, to which further options of the launcher are added. */
    public static List<String> command() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx512m",
                "-Xss512k",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlogback.configurationFile=logback.xml", // not the tests'
                "-Drookery.jvm.flags=" + String.join(" ", SHORT_LIFE),
                "-Drookery.aot=" + BUILT.getParent(),
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
