// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import rookery.embedded.Child;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedKafka;
import rookery.embedded.Folders;
import rookery.embedded.Ports;
import rookery.standalone.LauncherForTests;

/**
 * An additional instance besides the launcher's, such as a broken one, with the configuration of the first instance of
 * its service.
 */
public final class Newcomer implements AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofMinutes(3);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final Rookery rookery;
    private final String name;
    private final Process process;
    private final int port;

    private Newcomer(Rookery rookery, String name, Process process, int port) {
        this.rookery = rookery;
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts an instance. Returns when the instance is ready; the gateway does not know it yet.
     *
     * @param service such as {@code sync-service}
     * @param flags for its JVM
     */
    public static Newcomer start(Rookery rookery, String service, int number, List<String> flags) {
        var name = service + "-" + number;
        int port = Ports.free();
        var config = rookery.plan().data().resolve("config");
        var log = rookery.plan().data().resolve("logs").resolve(name + ".log");
        var command = new ArrayList<>(List.of(
                Child.java(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx320m",
                EmbeddedKafka.LANGUAGE,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dorg.springframework.boot.logging.LoggingSystem=none",
                "-Dlogback.configurationFile=logback.xml",
                "-Drookery.log.file=" + log,
                "-Drookery.log.console=OFF"));
        command.addAll(LauncherForTests.flags());
        command.addAll(rookery.plan().instanceFlags());
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                LauncherForTests.classPath(),
                "rookery.standalone.InstanceApplication",
                service,
                "--spring.config.additional-location=file:" + config.resolve(service + "-1.properties"),
                "--server.port=" + port,
                "--management.server.port=" + Ports.free(),
                "--rookery.instance.name=" + name));
        try {
            var process = new ProcessBuilder(command) // standard input is our pipe, so the process ends with this JVM
                    .redirectErrorStream(true)
                    .redirectOutput(log.resolveSibling(name + ".out").toFile())
                    .start();
            var newcomer = new Newcomer(rookery, name, process, port);
            newcomer.awaitReady();
            return newcomer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Instance instance() {
        return new Instance(name, process.pid(), "127.0.0.1:" + port, null);
    }

    /** Lists the instance, so that the gateway routes requests to it. */
    public void list() {
        Folders.write(
                rookery.plan().data().resolve("instances").resolve(name),
                "address=127.0.0.1:%d%npid=%d%n".formatted(port, process.pid()));
    }

    @Override
    public void close() {
        Folders.delete(rookery.plan().data().resolve("instances").resolve(name));
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady() {
        var nodes = new Nodes(rookery);
        boolean ready = Deadline.in(START_PATIENCE)
                .until(Duration.ofMillis(100), () -> !process.isAlive() || nodes.isReady(instance()));
        if (!ready || !process.isAlive()) {
            process.destroyForcibly();
            var log = rookery.plan().data().resolve("logs").resolve(name + ".log");
            throw new StartFailedException(
                    "%s did not start: %s".formatted(name, Files.exists(log) ? Folders.textOf(log) : ""));
        }
    }
}
